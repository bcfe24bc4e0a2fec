//! `qoscope plan`.

use std::io::{self, Write};

use qoscope_engine::planner::{self, ContractPlan, Plan, TenantPlan};
use qoscope_engine::scenario::Scenario;
use qoscope_engine::workload::traces::Traces;

use crate::RunFormat;
use crate::failure::Failure;
use crate::table::{grouped, number, table};

/// Plans capacity for a scenario and prints it.
pub fn plan(scenario: &Scenario, traces: &Traces, format: RunFormat, out: &mut impl Write) -> Result<(), Failure> {
    let plan = planner::plan(scenario, traces)?;
    match format {
        RunFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &plan).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        RunFormat::Table => print(scenario, &plan, out)?,
    }
    Ok(())
}

fn percent(share: Option<f64>) -> String {
    number(share.map(|share| 100.0 * share), 2)
}

fn print(scenario: &Scenario, plan: &Plan, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", scenario.name)?;
    writeln!(out, "The contracts need {} IOPS.", number(plan.need_iops, 1))?;
    if let (Some(capacity), Some(left)) = (plan.capacity_iops, plan.left_iops) {
        writeln!(out, "The server has {} IOPS; {} are left.", number(capacity, 1), number(left, 1))?;
    }
    writeln!(out)?;
    let tenants = plan.tenants.iter().map(tenant_row);
    let header = [
        "tenant",
        "requests",
        "mean\nIOPS",
        "dispersion\n100 ms",
        "\n10 s",
        "needs\nIOPS",
        "single level\nIOPS",
        "admitted",
        "tightest\nms",
    ];
    writeln!(out, "{}", table(header, 1, tenants))?;
    for tenant in &plan.tenants {
        if let Some(contract) = &tenant.contract {
            writeln!(out, "{}: bound by {}", tenant.name, contract.binding)?;
            classes(contract, &tenant.name, plan, out)?;
        }
        let suggested = &tenant.suggestion;
        writeln!(out, "{}: its workload suggests", tenant.name)?;
        classes(&suggested.contract, "", plan, out)?;
    }
    Ok(())
}

fn tenant_row(tenant: &TenantPlan) -> Vec<String> {
    let dispersion = |at: usize| number(tenant.workload.burstiness[at].dispersion, 1);
    let contract = tenant.contract.as_ref();
    vec![
        tenant.name.clone(),
        grouped(tenant.workload.requests),
        number(tenant.workload.rate_iops, 1),
        dispersion(2),
        dispersion(4),
        number(contract.map(|contract| contract.need_iops), 1),
        number(contract.map(|contract| contract.single_level_iops), 1),
        tenant.admitted.map_or("-", |admitted| if admitted { "yes" } else { "no" }).into(),
        number(tenant.tightest_response_us.map(|response_us| response_us / 1000.0), 2),
    ]
}

/// The nested classes of a contract, and under every scheduler the share of requests that is answered in time.
fn classes(contract: &ContractPlan, tenant: &str, plan: &Plan, out: &mut impl Write) -> io::Result<()> {
    let mut header =
        ["class", "burst", "rate\nIOPS", "response\nms", "term\nIOPS", "requests\n%"].map(String::from).to_vec();
    let number_of = plan.tenants.iter().position(|of| of.name == tenant);
    let outcomes = || plan.outcomes.iter().filter(|_| number_of.is_some());
    header.extend(outcomes().enumerate().map(|(place, outcome)| {
        let title = if place == 0 { "answered in time, %" } else { "" };
        format!("{title}\n{}", outcome.scheduler.id())
    }));
    let rows = contract.classes.iter().enumerate().map(|(place, class)| {
        let mut row = vec![
            (place + 1).to_string(),
            number(class.burst, 0),
            number(class.rate_iops, 1),
            number(class.response_us / 1000.0, 1),
            number(class.term_iops, 1),
            percent(class.fraction),
        ];
        row.extend(outcomes().filter_map(|outcome| Some(percent(outcome.tenants[number_of?].within[place]))));
        row
    });
    writeln!(out, "{}", table(header.iter().map(String::as_str), 1, rows))
}
