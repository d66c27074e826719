//! A match on one processor.
//!
//! Mind, bridge and engine take turns: only one of them ever works. On one processor no step has to wake another
//! processor up, which takes longer than a mind's decision. This needs Linux; elsewhere matches are only slower.

/// Does some work, and starts what it starts, on the processor with this number, counted round.
pub fn on_one_processor<T>(number: usize, work: impl FnOnce() -> T) -> T {
    let before = stay(number);
    let result = work();
    before.restore();
    result
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// Where a thread might run before.
    pub struct Before(Option<CpuSet>);

    pub fn stay(number: usize) -> Before {
        let Ok(all) = sched_getaffinity(None) else { return Before(None) };
        let mut usable = (0..CpuSet::MAX_CPU).filter(|&cpu| all.is_set(cpu));
        let Some(cpu) = usable.nth(number % all.count().max(1) as usize) else { return Before(None) };
        let mut one = CpuSet::new();
        one.set(cpu);
        Before(sched_setaffinity(None, &one).is_ok().then_some(all))
    }

    impl Before {
        pub fn restore(self) {
            if let Some(all) = self.0 {
                // Refused, the thread stays where it is.
                let _ = sched_setaffinity(None, &all);
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub struct Before;

    pub fn stay(_: usize) -> Before {
        Before
    }

    impl Before {
        pub fn restore(self) {}
    }
}

use system::stay;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::thread::sched_getaffinity;

    #[test]
    fn work_is_done_on_one_processor_and_what_follows_on_all() {
        let usable = || sched_getaffinity(None).expect("a thread knows where it may run");
        let all = usable();
        for number in 0..3 {
            let within = on_one_processor(number, || {
                std::thread::spawn(usable).join().expect("a thread that only looks")
            });
            assert_eq!(within.count(), 1, "threads and processes started there stay too");
            assert_eq!(usable().count(), all.count());
        }
    }
}
