//! Progress bars and spinners, all drawn on standard error and only where it is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over `length` steps, drawn at once. The template is indicatif's: `{bar:30} match {pos} of {len}`.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length).with_style(style(template, ProgressStyle::default_bar));
    bar.tick();
    bar
}

/// A spinner for work whose length nobody knows. It is drawn as the work reports progress.
pub fn spinner(template: &str) -> ProgressBar {
    ProgressBar::no_length().with_style(style(template, ProgressStyle::default_spinner))
}

/// A spinner that turns by itself, for work that reports nothing while it lasts.
pub fn turning(template: &str) -> ProgressBar {
    let bar = spinner(template);
    bar.enable_steady_tick(std::time::Duration::from_millis(120));
    bar
}

/// A template that cannot be read must not stop the work: the usual bar is shown instead.
fn style(template: &str, usual: fn() -> ProgressStyle) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| usual())
}

/// Does work with a bar over `length` steps, which it moves on.
pub fn with_bar<T>(length: u64, template: &str, work: impl FnOnce(&ProgressBar) -> T) -> T {
    let bar = bar(length, template);
    let done = work(&bar);
    bar.finish_and_clear();
    done
}

/// Does work that reports nothing, with a spinner that turns meanwhile.
pub fn during<T>(template: &str, work: impl FnOnce() -> T) -> T {
    let bar = turning(template);
    let done = work();
    bar.finish_and_clear();
    done
}
