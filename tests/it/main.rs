//! Integration tests.
#![forbid(unsafe_code)]

mod architecture;
mod built;
mod cascades;
mod closed_forms;
mod cycles;
mod differential;
mod events;
mod exported;
mod external;
mod fuzz;
mod golden;
mod guarded;
mod hierarchical;
mod language;
mod library;
mod limits;
mod loops_at_run_time;
mod lower_order;
mod mixed;
mod multirate;
mod not_a_number;
mod overrides;
mod properties;
mod reduction;
mod results;
mod run;
mod scales;
mod standstill;
mod starts;
mod strings;
mod tidy;
mod time_events;
mod time_scales;
