//! Numbers and names of tables and messages.

/// A number of a table.
pub(super) fn short(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e7).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    let digits = (4 - (value.abs().max(1e-3)).log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}

/// Names with commas, ten at most.
pub(super) fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(10).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > 10 { format!(" and {} more", names.len() - 10) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}
