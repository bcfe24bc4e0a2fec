//! Every figure has a plot, and what that says was published is what its rows say.

use libtest_mimic::Failed;
use qoscope_figures::{Claim, Figure, Mark, Published};

/// Fails where a figure has no plot, or a plot a published number that is none of the figure's rows.
pub fn check(figures: &[Figure]) -> Result<(), Failed> {
    let mut diagnostics = Vec::new();
    for figure in figures {
        let Some(plot) = &figure.plot else {
            diagnostics.push(format!("{} has no plot", figure.id));
            continue;
        };
        for mark in plot.published() {
            if !is_of_a_row(figure, mark) {
                diagnostics
                    .push(format!("the plot of {} says that {mark:?} was published, and no row does", figure.id));
            }
        }
    }
    if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics.join("\n").into()) }
}

/// Whether one of the rows says that this was published.
fn is_of_a_row(figure: &Figure, mark: &Mark) -> bool {
    let claims = figure.quantities.iter().map(|quantity| (&quantity.published, figure.claim(&quantity.published)));
    claims.into_iter().any(|(published, claim)| match (mark, published, claim) {
        (Mark::Expression(text), Published::Reference { value, .. }, _) => text == value,
        (Mark::Number(number), _, Ok((Claim::Number(published, _) | Claim::Arithmetic(published, _), _))) => {
            *number == published
        }
        (Mark::Range(low, high), _, Ok((Claim::Range(from, to), _))) => (*low, *high) == (from, to),
        _ => false,
    })
}
