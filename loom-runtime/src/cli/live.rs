//! What a person sees of calls while they run: bars on a terminal, a line for each report elsewhere.

use std::collections::BTreeMap;
use std::fmt;
use std::future::poll_fn;
use std::io::Write;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use futures_core::Stream;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use loom_core::{CallEvent, ToolCall, ToolResult};

use crate::dispatch::Dispatcher;
use crate::render::safe;

/// Where progress is shown.
pub(super) enum Live<'a> {
    Off,
    /// One line for each report.
    Lines {
        output: &'a mut (dyn Write + Send),
        names: BTreeMap<u64, String>,
    },
    /// A bar for each call that runs.
    Bars {
        bars: MultiProgress,
        running: BTreeMap<u64, ProgressBar>,
        /// How often a bar moves whose call says nothing.
        tick: Option<Duration>,
    },
}

impl<'a> Live<'a> {
    pub(super) fn lines(output: &'a mut (dyn Write + Send)) -> Self {
        Self::Lines { output, names: BTreeMap::new() }
    }

    pub(super) fn bars(target: ProgressDrawTarget, tick: Option<Duration>) -> Self {
        Self::Bars { bars: MultiProgress::with_draw_target(target), running: BTreeMap::new(), tick }
    }

    /// Runs the calls, and shows meanwhile how far they have come.
    pub(super) async fn watch(&mut self, dispatcher: &Dispatcher, calls: Vec<ToolCall>) -> Vec<ToolResult> {
        if matches!(self, Self::Off) {
            return dispatcher.dispatch(calls).await;
        }
        let mut events = dispatcher.events();
        let mut turn = pin!(dispatcher.dispatch(calls));
        poll_fn(|cx| {
            let results = turn.as_mut().poll(cx);
            // After the turn, so that what its calls told last is shown before it ends.
            while let Poll::Ready(Some(event)) = Pin::new(&mut events).poll_next(cx) {
                self.show(&event);
            }
            results
        })
        .await
    }

    fn show(&mut self, event: &CallEvent) {
        match self {
            Self::Off => {}
            Self::Lines { output, names } => match event {
                CallEvent::Start { call_number, tool_name, .. } => {
                    names.insert(*call_number, safe(tool_name).into_owned());
                }
                CallEvent::Progress { call_number, done, total, message, .. } => {
                    let name = names.get(call_number).map_or("…", String::as_str);
                    let far = Far { done: *done, total: *total, message: message.as_deref() };
                    // Whoever does not want to read it misses nothing of the results.
                    let _written = writeln!(output, "{name}: {far}").and_then(|()| output.flush());
                }
                CallEvent::End { call_number, .. } => {
                    names.remove(call_number);
                }
                _ => {}
            },
            Self::Bars { bars, running, tick } => match event {
                CallEvent::Start { call_number, tool_name, .. } => {
                    let bar = bars.add(ProgressBar::new_spinner().with_style(style("{spinner} {prefix} {wide_msg}")));
                    bar.set_prefix(safe(tool_name).into_owned());
                    if let Some(tick) = tick {
                        bar.enable_steady_tick(*tick);
                    }
                    running.insert(*call_number, bar);
                }
                CallEvent::Progress { call_number, done, total, message, .. } => {
                    let Some(bar) = running.get(call_number) else { return };
                    let far = Far { done: *done, total: *total, message: message.as_deref() };
                    if let Some(thousandths) = far.thousandths() {
                        if bar.length() != Some(1000) {
                            bar.set_style(style("{spinner} {prefix} [{bar:24}] {wide_msg}"));
                            bar.set_length(1000);
                        }
                        bar.set_position(thousandths);
                    } else {
                        bar.tick();
                    }
                    bar.set_message(far.to_string());
                }
                CallEvent::End { call_number, .. } => {
                    if let Some(bar) = running.remove(call_number) {
                        bar.finish_and_clear();
                        bars.remove(&bar);
                    }
                }
                _ => {}
            },
        }
    }
}

/// The templates are written above, and a test draws each.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// How far a call has come, as text: `3/10 reading`.
struct Far<'a> {
    done: f64,
    total: Option<f64>,
    message: Option<&'a str>,
}

impl Far<'_> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 1000")]
    fn thousandths(&self) -> Option<u64> {
        let total = self.total?;
        Some(if total > 0.0 { (self.done / total * 1000.0).clamp(0.0, 1000.0) as u64 } else { 1000 })
    }
}

impl fmt::Display for Far<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: f64| if number.fract() == 0.0 { format!("{number}") } else { format!("{number:.1}") };
        match (self.total, self.message) {
            (Some(total), _) => write!(f, "{}/{}", number(self.done), number(total))?,
            // What counts nothing says only what it does.
            (None, Some(_)) if self.done <= 0.0 => {}
            (None, _) => f.write_str(&number(self.done))?,
        }
        if let Some(message) = self.message {
            let space = if self.total.is_none() && self.done <= 0.0 { "" } else { " " };
            write!(f, "{space}{}", safe(message))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use indicatif::{InMemoryTerm, TermLike};
    use loom_core::ProgressUpdate;

    use super::*;

    fn progress(number: u64, done: f64, total: Option<f64>, message: Option<&str>) -> CallEvent {
        let mut update = ProgressUpdate::default();
        (update.done, update.total, update.message) = (done, total, message.map(str::to_owned));
        CallEvent::progress(number, "id", update)
    }

    fn end(number: u64) -> CallEvent {
        CallEvent::end(number, "id", "ok", Duration::ZERO)
    }

    #[test]
    fn elsewhere_each_report_is_a_line() {
        let mut output = Vec::new();
        let mut live = Live::lines(&mut output);
        for event in [
            CallEvent::start(1, "id", "grep\x1b[2J"),
            CallEvent::start(2, "id", "read"),
            progress(1, 0.0, None, Some("looking\r\nround")),
            progress(2, 1.0, Some(3.0), None),
            progress(1, 2.25, None, Some("further")),
            progress(1, 7.0, None, None),
            progress(2, 3.0, Some(3.0), Some("done")),
            end(2),
            end(1),
        ] {
            live.show(&event);
        }
        assert_eq!(
            String::from_utf8(output).unwrap(),
            "grep\u{fffd}[2J: looking\u{fffd}\u{fffd}round\nread: 1/3\ngrep\u{fffd}[2J: 2.2 further\n\
             grep\u{fffd}[2J: 7\nread: 3/3 done\n"
        );
    }

    #[test]
    fn on_a_terminal_each_call_that_runs_is_a_bar() {
        let terminal = InMemoryTerm::new(10, 60);
        let mut live = Live::bars(ProgressDrawTarget::term_like(Box::new(terminal.clone())), None);
        let mut show = |events: &[CallEvent]| {
            for event in events {
                live.show(event);
            }
            if let Live::Bars { running, .. } = &live {
                running.values().for_each(ProgressBar::force_draw);
            }
            terminal.contents()
        };
        let both = show(&[
            CallEvent::start(1, "id", "grep"),
            CallEvent::start(2, "id", "copy"),
            progress(1, 0.0, None, Some("src/lib.rs")),
            progress(2, 1.0, Some(4.0), Some("a.txt")),
        ]);
        let lines: Vec<_> = both.lines().map(|line| line.trim_start_matches(|c: char| !c.is_ascii()).trim()).collect();
        assert_eq!(lines, ["grep src/lib.rs", "copy [██████░░░░░░░░░░░░░░░░░░] 1/4 a.txt"]);
        let one = show(&[end(1), progress(2, 4.0, Some(4.0), None)]);
        let lines: Vec<_> = one.lines().map(|line| line.trim_start_matches(|c: char| !c.is_ascii()).trim()).collect();
        assert_eq!(lines, ["copy [████████████████████████] 4/4"]);
        assert_eq!(show(&[end(2)]), "");
        assert_eq!(terminal.width(), 60);
    }
}
