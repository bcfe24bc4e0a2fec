//! From a class of the document to what it asks of its connections.

use crate::kernel::ids::ClassId;
use crate::kernel::time::from_us;
use crate::scenario::document::Scenario;
use crate::transport::dirs::Policy;
use crate::transport::settings::ClassSettings;

/// What class `number` asks of its connections, whose hosts send at `line_bps` and whose empty round trip is `rtt_ps`.
pub(super) fn class_settings(scenario: &Scenario, number: ClassId, line_bps: f64, rtt_ps: u64) -> ClassSettings {
    let class = &scenario.classes[number.index()];
    let control = class.control(&scenario.qos, line_bps, rtt_ps);
    let initial_rates = class.dirs.parameters(&control).filter(|_| class.dirs.enabled);
    ClassSettings {
        transport: class.transport.describe(),
        control,
        line_bps,
        base_rtt_ps: rtt_ps,
        initial_rates: initial_rates.map(|parameters| Policy::new(&control, line_bps, parameters)),
        priority: scenario.priority_of(class),
        urgent_subclass: class.urgent_subclass,
        deadline_ps: class.latency_target_us.map(from_us),
        rate_smoothing: class.rate_smoothing,
        rate_rounds: class.update_interval_rtts,
    }
}
