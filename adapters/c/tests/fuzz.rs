//! Random calls with random handles, numbers and texts: codes come back, nothing crashes, and no defect is met.
//!
//! In a program of its own, because it also calls `repertoire_shutdown`. Runs short; for a long run:
//! `REPERTOIRE_FUZZ_CALLS=10000000 cargo test --release -p repertoire-c --test fuzz -- --nocapture`, and with
//! `REPERTOIRE_FUZZ_SEED=N` other calls.

#![allow(unsafe_code, reason = "calls of a C interface are unsafe")]
#![allow(clippy::unwrap_used, reason = "a helper of tests may panic as tests do")]
#![warn(clippy::undocumented_unsafe_blocks)]

use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};

use repertoire_c::*;

const DESIGNS: [&str; 3] = [
    include_str!("village.toml"),
    "name = \"cat\"\ntasks = [\"sit\", \"walk\"]\nstay = 0.5\n",
    r#"
        name = "guard"
        tasks = ["patrol", "chase", "rest"]
        stay = 0.8
        sensors.thief = ["hidden", "heard", "seen"]
        likelihood.thief.hidden = [0.9, 0.1, 0.5]
        likelihood.thief.heard = [0.05, 0.3, 0.25]
        likelihood.thief.seen = ["x", "x", "x"]
        sensors.tired = ["no", "yes"]
        likelihood.tired.no = [0.6, 0.6, 0.2]
        likelihood.tired.yes = ["x", "x", "x"]
        needs.tired = { grows = 0.05, eased.rest = 0.2, levels = [0.5] }
        opinions.captain = { weight = 2.0 }
        opinions.fear = { stance = "proscriptive" }
        targets.chase = "thief"
    "#,
];

const WORDS: [&str; 24] = [
    "wolf",
    "near",
    "away",
    "thief",
    "seen",
    "tired",
    "yes",
    "hunger",
    "fatigue",
    "purse",
    "full",
    "empty",
    "meal",
    "had",
    "inn",
    "glutton",
    "sleepy",
    "captain",
    "fear",
    "chase",
    "eat",
    "",
    "wulf",
    "\u{1f43a}",
];

const TABLES: [&str; 4] =
    ["wolf,task\naway,eat\nnear,flee\n", "thief,task\nseen,chase\n,rest\n", "task\nsit\nwalk\n", ",,\n"];

/// xorshift: a generator that a test can carry along.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 33) as usize) % end
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn index(&mut self) -> u32 {
        if self.one_in(20) { self.next() as u32 } else { self.below(4) as u32 }
    }

    fn number(&mut self) -> f64 {
        match self.below(12) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -1.0,
            3 => f64::from_bits(self.next()),
            4 => 1.0,
            5 => 0.0,
            _ => self.below(1000) as f64 / 1000.0,
        }
    }

    /// Numbers that may be a distribution.
    fn numbers(&mut self) -> Vec<f64> {
        let count = self.below(6);
        let mut numbers: Vec<f64> = (0..count).map(|_| self.number()).collect();
        if !self.one_in(4) {
            numbers.iter_mut().for_each(|p| *p = if p.is_finite() { p.abs().min(1.0) } else { 0.25 });
            let sum: f64 = numbers.iter().sum();
            numbers.iter_mut().for_each(|p| *p /= sum);
        }
        numbers
    }
}

/// Somebody who has handles, good and bad, and makes calls with them.
struct Caller {
    dice: Dice,
    words: Vec<CString>,
    designs: Vec<u64>,
    minds: Vec<u64>,
    saved: Vec<Vec<u8>>,
    buffer: Vec<u8>,
    /// The handle of the last call.
    last: u64,
    /// How often each code came back.
    codes: [u64; 17],
}

impl Caller {
    fn new(seed: u64) -> Self {
        let words = WORDS.iter().map(|word| CString::new(*word).unwrap()).collect();
        let (designs, minds, saved) = (Vec::new(), Vec::new(), Vec::new());
        Caller {
            dice: Dice(seed | 1),
            words,
            designs,
            minds,
            saved,
            buffer: vec![0; 1 << 16],
            last: 0,
            codes: [0; 17],
        }
    }

    fn handle(&mut self, own: bool) -> u64 {
        self.last = self.any_handle(own);
        self.last
    }

    fn any_handle(&mut self, own: bool) -> u64 {
        let handles = if own { &self.minds } else { &self.designs };
        match self.dice.below(40) {
            0 => self.dice.next(),
            1 => self.dice.below(3) as u64,
            // One that is near to a good one: another slot, generation or kind.
            2 if !handles.is_empty() => {
                handles[self.dice.0 as usize % handles.len()] ^ 1 << self.dice.below(64)
            }
            3 => *if own { self.designs.last() } else { self.minds.last() }.unwrap_or(&0),
            _ if handles.is_empty() => 0,
            _ => handles[(self.dice.next() >> 20) as usize % handles.len()],
        }
    }

    fn design(&mut self) -> u64 {
        self.handle(false)
    }

    fn mind(&mut self) -> u64 {
        self.handle(true)
    }

    fn word(&mut self) -> *const c_char {
        match self.dice.below(40) {
            0 => null(),
            1 => c"\xff\xfe".as_ptr(),
            _ => self.words[self.dice.below(WORDS.len())].as_ptr(),
        }
    }

    /// Text with an accident now and then.
    fn text(&mut self, of: &[&str]) -> Vec<u8> {
        let mut text = of[self.dice.below(of.len())].as_bytes().to_vec();
        if self.dice.one_in(2) {
            for _ in 0..1 + self.dice.below(3) {
                self.spoil(&mut text);
            }
        }
        text
    }

    fn spoil(&mut self, text: &mut Vec<u8>) {
        if text.is_empty() {
            return;
        }
        let at = self.dice.below(text.len());
        match self.dice.below(5) {
            0 => text[at] = self.dice.next() as u8,
            1 => drop(text.remove(at)),
            2 => text.truncate(at),
            3 => text[at] = b"0123456789.-e,\"[]{}"[self.dice.below(19)],
            _ => {
                let end = (at + 1 + self.dice.below(12)).min(text.len());
                let again = text[at..end].to_vec();
                text.splice(at..at, again);
            }
        }
    }

    fn out<T>(&mut self, place: &mut T) -> *mut T {
        if self.dice.one_in(50) { null_mut() } else { place }
    }

    fn columns(&mut self, count: usize, most: usize) -> Vec<Option<Vec<u16>>> {
        let columns = self.dice.below(most + 1);
        let value = |dice: &mut Dice| match dice.below(300) {
            0 => dice.next() as u16,
            1 => 2,
            2..20 => REPERTOIRE_NOTHING,
            _ => dice.below(2) as u16,
        };
        let column = |dice: &mut Dice| (!dice.one_in(4)).then(|| (0..count).map(|_| value(dice)).collect());
        (0..columns).map(|_| column(&mut self.dice)).collect()
    }

    /// One call; the code it gave.
    fn call(&mut self) -> RepertoireCode {
        // SAFETY: it asks nothing of its caller.
        unsafe { self.any_call() }
    }

    /// # Safety
    /// None of this is up to the caller: every call gets NULL, or memory that is as large as the call asks for.
    #[allow(unsafe_op_in_unsafe_fn, reason = "nearly every line is such a call, for one and the same reason")]
    unsafe fn any_call(&mut self) -> RepertoireCode {
        let (mut handle, mut number, mut level, mut size) = (0u64, 0u32, 0f64, 0usize);
        let (mut name, mut deed): (*const c_char, _) = (null(), RepertoireDeed::default());
        match self.dice.below(64) {
            // Rare, because it takes long or ends much.
            0 if self.dice.one_in(8) => {
                let text = self.text(&DESIGNS);
                let (file, out) = (self.word(), self.out(&mut handle));
                let code = repertoire_design_load(text.as_ptr().cast(), text.len(), file, out);
                self.designs.extend((code == REPERTOIRE_OK).then_some(handle));
                code
            }
            1 if self.dice.one_in(8) => {
                let text = self.text(&TABLES);
                let (design, file, out) = (self.design(), self.word(), self.out(&mut handle));
                let code = repertoire_design_learn(design, text.as_ptr().cast(), text.len(), file, out);
                self.designs.extend((code == REPERTOIRE_OK).then_some(handle));
                code
            }
            2 if self.dice.one_in(20) => repertoire_design_free(self.design()),
            3 if self.dice.one_in(5000) => repertoire_shutdown(),
            4 if self.dice.one_in(500) => repertoire_set_threads(self.dice.below(5) as u32),
            5 if self.dice.one_in(100) => repertoire_set_threads(1025 + self.dice.below(99) as u32),
            6 => {
                let (design, out) = (self.design(), self.out(&mut name));
                repertoire_design_title(design, out)
            }
            7 => {
                let (design, of, out) = (self.design(), self.dice.below(9) as u32, self.out(&mut number));
                repertoire_design_count(design, of, out)
            }
            8 => {
                let (design, of) = (self.design(), self.dice.below(8) as u32);
                let (index, out) = (self.dice.index(), self.out(&mut name));
                let code = repertoire_design_name(design, of, index, out);
                if code == REPERTOIRE_OK {
                    assert!(!CStr::from_ptr(name).is_empty());
                }
                code
            }
            9 => {
                let (design, of) = (self.design(), self.dice.below(8) as u32);
                let (word, out) = (self.word(), self.out(&mut number));
                repertoire_design_find(design, of, word, out)
            }
            10 => {
                let (design, of) = (self.design(), self.dice.below(8) as u32);
                let (index, out) = (self.dice.index(), self.out(&mut number));
                repertoire_design_value_count(design, of, index, out)
            }
            11 => {
                let (design, of) = (self.design(), self.dice.below(8) as u32);
                let (index, value, out) = (self.dice.index(), self.dice.index(), self.out(&mut name));
                repertoire_design_value_name(design, of, index, value, out)
            }
            12 => {
                let (design, of) = (self.design(), self.dice.below(8) as u32);
                let (index, word, out) = (self.dice.index(), self.word(), self.out(&mut number));
                repertoire_design_value_find(design, of, index, word, out)
            }
            13 => {
                let (design, seed, agent, out) =
                    (self.design(), self.dice.next(), self.dice.next(), self.out(&mut handle));
                let code = repertoire_mind_new(design, seed, agent, out);
                self.minds.extend((code == REPERTOIRE_OK).then_some(handle));
                code
            }
            14 => {
                let (design, profile, out) = (self.design(), self.word(), self.out(&mut handle));
                let code = repertoire_mind_new_with_profile(design, profile, 1, 2, out);
                self.minds.extend((code == REPERTOIRE_OK).then_some(handle));
                code
            }
            15 if self.dice.one_in(8) => {
                let mut minds = vec![0; self.dice.below(200)];
                let (design, agent) = (self.design(), self.dice.next());
                let out = if self.dice.one_in(20) { null_mut() } else { minds.as_mut_ptr() };
                let code = repertoire_minds_new(design, 5, agent, minds.len(), out);
                self.minds.extend(minds.iter().filter(|_| code == REPERTOIRE_OK));
                code
            }
            16..18 => repertoire_mind_free(self.mind()),
            18 if self.dice.one_in(8) => {
                let minds: Vec<u64> = (0..self.dice.below(9)).map(|_| self.mind()).collect();
                repertoire_minds_free(minds.as_ptr(), minds.len())
            }
            19..24 => {
                let (mind, sensor, value) = (self.mind(), self.word(), self.word());
                repertoire_mind_see(mind, sensor, value)
            }
            24..27 => repertoire_mind_set(self.mind(), self.dice.index(), self.dice.index()),
            27..29 => {
                let (mind, sensor, numbers) = (self.mind(), self.word(), self.dice.numbers());
                repertoire_mind_believe(mind, sensor, numbers.as_ptr(), numbers.len())
            }
            29 => {
                let (mind, sensor) = (self.mind(), self.word());
                repertoire_mind_lose(mind, sensor)
            }
            30..32 => {
                let (mind, fact, value) = (self.mind(), self.word(), self.word());
                repertoire_mind_fact(mind, fact, value)
            }
            32..34 => repertoire_mind_set_fact(self.mind(), self.dice.index(), self.dice.index()),
            34..36 => {
                let (mind, kind, thing, distance) =
                    (self.mind(), self.word(), self.dice.next(), self.dice.number());
                repertoire_mind_offer(mind, kind, thing, distance)
            }
            36 => {
                let (mind, voice, numbers) = (self.mind(), self.word(), self.dice.numbers());
                repertoire_mind_opine(mind, voice, numbers.as_ptr(), numbers.len())
            }
            37..39 => repertoire_mind_clear(self.mind()),
            39..45 => {
                let (mind, out) = (self.mind(), self.out(&mut deed));
                repertoire_mind_tick(mind, out)
            }
            45 if self.dice.one_in(4) => self.tick_all(),
            46 => {
                let (mind, out) = (self.mind(), self.out(&mut deed));
                repertoire_mind_deed(mind, out)
            }
            47 => {
                let (mind, out) = (self.mind(), self.out(&mut name));
                repertoire_mind_task(mind, out)
            }
            48 => {
                let (mind, need, out) = (self.mind(), self.word(), self.out(&mut level));
                repertoire_mind_need(mind, need, out)
            }
            49 => {
                let (mind, need, out) = (self.mind(), self.dice.index(), self.out(&mut level));
                repertoire_mind_need_at(mind, need, out)
            }
            50 => {
                let (mind, need, by) = (self.mind(), self.word(), self.dice.number());
                repertoire_mind_ease(mind, need, by)
            }
            51 => {
                let (mind, need, level) = (self.mind(), self.word(), self.dice.number());
                repertoire_mind_set_need(mind, need, level)
            }
            52 if self.dice.one_in(4) => repertoire_mind_begin_life(self.mind()),
            53..56 => {
                let (mind, length) = (self.mind(), self.out(&mut size));
                let capacity = [0, 10, 300, self.buffer.len()][self.dice.below(4)];
                repertoire_mind_report(mind, self.buffer.as_mut_ptr().cast(), capacity, length)
            }
            56..59 => {
                let (mind, length) = (self.mind(), self.out(&mut size));
                let capacity = if self.dice.one_in(3) { self.dice.below(100) } else { self.buffer.len() };
                let code = repertoire_mind_save(mind, self.buffer.as_mut_ptr(), capacity, length);
                if code == REPERTOIRE_OK && capacity > 0 {
                    let keep = if self.saved.len() < 64 { self.saved.len() } else { self.dice.below(64) };
                    self.saved.truncate(keep.max(63));
                    self.saved.push(self.buffer[..size].to_vec());
                }
                code
            }
            59..63 if !self.saved.is_empty() => {
                let mut bytes = self.saved[self.dice.below(self.saved.len())].clone();
                for _ in 0..self.dice.below(4) {
                    self.spoil(&mut bytes);
                }
                repertoire_mind_restore(self.mind(), bytes.as_ptr(), bytes.len())
            }
            _ => {
                let message = CStr::from_ptr(repertoire_error_message());
                assert!(message.to_str().is_ok());
                REPERTOIRE_OK
            }
        }
    }

    fn tick_all(&mut self) -> RepertoireCode {
        let count = if self.dice.one_in(10) { 400 } else { self.dice.below(12) };
        let mut minds: Vec<u64> = (0..count).map(|_| self.mind()).collect();
        if !self.dice.one_in(4) {
            // Few lists of random minds are right by chance: as new ones, they are, if the design lives.
            let (design, mut fresh) = (self.design(), vec![0; count]);
            // SAFETY: there is room for that many handles.
            let code = unsafe { repertoire_minds_new(design, 7, 0, count, fresh.as_mut_ptr()) };
            if code == REPERTOIRE_OK {
                minds = fresh;
                self.minds.extend(minds.iter().take(5));
            }
        }
        let (readings, facts) = (self.columns(count, 2), self.columns(count, 2));
        let pointers = |columns: &[Option<Vec<u16>>]| {
            columns
                .iter()
                .map(|column| column.as_ref().map_or(null(), |column| column.as_ptr()))
                .collect::<Vec<_>>()
        };
        let (first, second) = (pointers(&readings), pointers(&facts));
        let mut deeds = vec![RepertoireDeed::default(); count];
        // SAFETY: every array has the length that is given, and each column a value for each mind.
        let code = unsafe {
            repertoire_minds_tick(
                minds.as_ptr(),
                count,
                first.as_ptr(),
                first.len(),
                second.as_ptr(),
                second.len(),
                deeds.as_mut_ptr(),
            )
        };
        if code == REPERTOIRE_OK {
            assert!(deeds.iter().all(|deed| deed.task < 4));
        }
        for mind in minds.iter().skip(5) {
            repertoire_mind_free(*mind);
        }
        code
    }

    fn run(&mut self, calls: u64) {
        for call in 0..calls {
            let code = self.call();
            self.codes[code as usize] += 1;
            if code == REPERTOIRE_ERROR_DEFECT || code == REPERTOIRE_ERROR_BROKEN {
                // SAFETY: it ends with a NUL.
                let message = unsafe { CStr::from_ptr(repertoire_error_message()) };
                panic!("call {call}: {}", message.to_string_lossy());
            }
            // Freed handles are kept for a while, so that they are tried, too.
            if code == REPERTOIRE_ERROR_FREED && !self.dice.one_in(4) {
                self.minds.retain(|mind| *mind != self.last);
                self.designs.retain(|design| *design != self.last);
            }
            if self.minds.len() > 400 {
                for mind in self.minds.drain(..200) {
                    repertoire_mind_free(mind);
                }
            }
            if self.designs.len() > 40 {
                for design in self.designs.drain(..20) {
                    repertoire_design_free(design);
                }
            }
        }
    }
}

#[test]
fn random_calls_give_codes_and_never_a_crash() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).map_or(otherwise, |text| {
            text.parse().unwrap_or_else(|_| panic!("{name}={text}: write a number"))
        })
    };
    let (calls, seed) = (number("REPERTOIRE_FUZZ_CALLS", 60_000), number("REPERTOIRE_FUZZ_SEED", 1));
    // Two threads, so that calls meet.
    let codes = std::thread::scope(|scope| {
        let run = |seed: u64| {
            move || {
                let mut caller = Caller::new(seed);
                caller.run(calls / 2);
                caller.codes
            }
        };
        let threads = [
            scope.spawn(run(seed.wrapping_mul(0x9e37_79b9))),
            scope.spawn(run(seed.wrapping_mul(0x85eb_ca6b))),
        ];
        threads.map(|thread| thread.join().expect("no call panics"))
    });
    let times = |code: RepertoireCode| codes[0][code as usize] + codes[1][code as usize];
    println!("{calls} calls, by code: {:?}", (0..17).map(times).collect::<Vec<_>>());
    let met = [
        REPERTOIRE_OK,
        REPERTOIRE_ERROR_POINTER,
        REPERTOIRE_ERROR_HANDLE,
        REPERTOIRE_ERROR_FREED,
        REPERTOIRE_ERROR_TEXT,
        REPERTOIRE_ERROR_MISTAKE,
        REPERTOIRE_ERROR_NAME,
        REPERTOIRE_ERROR_INDEX,
        REPERTOIRE_ERROR_NUMBER,
        REPERTOIRE_ERROR_SIZE,
        REPERTOIRE_ERROR_BUFFER,
        REPERTOIRE_ERROR_STATE,
        REPERTOIRE_ERROR_MINDS,
        REPERTOIRE_ERROR_UNDECIDED,
    ];
    for code in met {
        assert!(times(code) > 0, "no call gave the code {code}: the dice are too kind");
    }
    assert!(times(REPERTOIRE_OK) > calls / 3, "many calls should do something");
    assert_eq!(repertoire_shutdown(), REPERTOIRE_OK);
}
