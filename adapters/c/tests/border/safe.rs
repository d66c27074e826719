//! The calls with Rust's types, as a test wants them: the code or the result.

use std::ffi::{CStr, CString, c_char};
use std::ptr::null;

use repertoire_c::*;

/// What a call says: a code and the message.
#[derive(Debug)]
pub struct Refused {
    pub code: RepertoireCode,
    pub message: String,
}

pub type Result<T> = std::result::Result<T, Refused>;

pub fn message() -> String {
    // SAFETY: the message ends with a NUL and stays until the thread's next failure.
    unsafe { CStr::from_ptr(repertoire_error_message()) }.to_str().unwrap().to_owned()
}

pub fn checked(code: RepertoireCode) -> Result<()> {
    if code == REPERTOIRE_OK { Ok(()) } else { Err(Refused { code, message: message() }) }
}

pub fn c(text: &str) -> CString {
    CString::new(text).unwrap()
}

pub fn load(text: &str) -> Result<RepertoireDesign> {
    let mut design = 0;
    // SAFETY: the text has that length, and there is room for a handle.
    checked(unsafe { repertoire_design_load(text.as_ptr().cast(), text.len(), null(), &mut design) })?;
    Ok(design)
}

pub fn learn(design: RepertoireDesign, table: &str) -> Result<RepertoireDesign> {
    let (mut learned, file) = (0, c("diary.csv"));
    let (first, length) = (table.as_ptr().cast(), table.len());
    // SAFETY: the text has that length, the name ends with a NUL, and there is room for a handle.
    checked(unsafe { repertoire_design_learn(design, first, length, file.as_ptr(), &mut learned) })?;
    Ok(learned)
}

pub fn new_mind(design: RepertoireDesign, seed: u64, agent: u64) -> Result<RepertoireMind> {
    let mut mind = 0;
    // SAFETY: there is room for a handle.
    checked(unsafe { repertoire_mind_new(design, seed, agent, &mut mind) })?;
    Ok(mind)
}

pub fn new_minds(
    design: RepertoireDesign,
    seed: u64,
    first: u64,
    count: usize,
) -> Result<Vec<RepertoireMind>> {
    let mut minds = vec![0; count];
    // SAFETY: there is room for that many handles.
    checked(unsafe { repertoire_minds_new(design, seed, first, count, minds.as_mut_ptr()) })?;
    Ok(minds)
}

pub fn see(mind: RepertoireMind, sensor: &str, value: &str) -> Result<()> {
    let (sensor, value) = (c(sensor), c(value));
    // SAFETY: names that end with a NUL.
    checked(unsafe { repertoire_mind_see(mind, sensor.as_ptr(), value.as_ptr()) })
}

pub fn fact(mind: RepertoireMind, fact: &str, value: &str) -> Result<()> {
    let (fact, value) = (c(fact), c(value));
    // SAFETY: names that end with a NUL.
    checked(unsafe { repertoire_mind_fact(mind, fact.as_ptr(), value.as_ptr()) })
}

pub fn offer(mind: RepertoireMind, kind: &str, thing: u64, distance: f64) -> Result<()> {
    let kind = c(kind);
    // SAFETY: a name that ends with a NUL.
    checked(unsafe { repertoire_mind_offer(mind, kind.as_ptr(), thing, distance) })
}

pub fn believe(mind: RepertoireMind, sensor: &str, probabilities: &[f64]) -> Result<()> {
    let sensor = c(sensor);
    let (first, count) = (probabilities.as_ptr(), probabilities.len());
    // SAFETY: a name that ends with a NUL, and that many numbers.
    checked(unsafe { repertoire_mind_believe(mind, sensor.as_ptr(), first, count) })
}

pub fn opine(mind: RepertoireMind, voice: &str, says: &[f64]) -> Result<()> {
    let voice = c(voice);
    // SAFETY: a name that ends with a NUL, and that many numbers.
    checked(unsafe { repertoire_mind_opine(mind, voice.as_ptr(), says.as_ptr(), says.len()) })
}

pub fn tick(mind: RepertoireMind) -> Result<RepertoireDeed> {
    let mut deed = RepertoireDeed::default();
    // SAFETY: there is room for a deed.
    checked(unsafe { repertoire_mind_tick(mind, &mut deed) })?;
    Ok(deed)
}

pub fn ticks(mind: RepertoireMind, count: u32) {
    for _ in 0..count {
        tick(mind).unwrap();
    }
}

pub fn tick_all(
    minds: &[RepertoireMind],
    readings: &[Option<&[u16]>],
    facts: &[Option<&[u16]>],
) -> Result<Vec<RepertoireDeed>> {
    let whole =
        |columns: &[Option<&[u16]>]| columns.iter().flatten().all(|column| column.len() == minds.len());
    assert!(whole(readings) && whole(facts), "a column has a value for each mind");
    let pointers = |columns: &[Option<&[u16]>]| {
        columns.iter().map(|column| column.map_or(null(), <[u16]>::as_ptr)).collect::<Vec<_>>()
    };
    let (readings, facts) = (pointers(readings), pointers(facts));
    let mut deeds = vec![RepertoireDeed::default(); minds.len()];
    // SAFETY: all arrays have the lengths that are given, and each column a value for each mind.
    checked(unsafe {
        repertoire_minds_tick(
            minds.as_ptr(),
            minds.len(),
            readings.as_ptr(),
            readings.len(),
            facts.as_ptr(),
            facts.len(),
            deeds.as_mut_ptr(),
        )
    })?;
    Ok(deeds)
}

pub fn task_name(mind: RepertoireMind) -> Result<String> {
    let mut name: *const c_char = null();
    // SAFETY: there is room for a pointer.
    checked(unsafe { repertoire_mind_task(mind, &mut name) })?;
    // SAFETY: names end with a NUL and are never freed.
    Ok(unsafe { CStr::from_ptr(name) }.to_str().unwrap().to_owned())
}

pub fn need(mind: RepertoireMind, need: &str) -> Result<f64> {
    let (need, mut level) = (c(need), f64::NAN);
    // SAFETY: a name that ends with a NUL, and room for a number.
    checked(unsafe { repertoire_mind_need(mind, need.as_ptr(), &mut level) })?;
    Ok(level)
}

pub fn ease(mind: RepertoireMind, need: &str, by: f64) -> Result<()> {
    let need = c(need);
    // SAFETY: a name that ends with a NUL.
    checked(unsafe { repertoire_mind_ease(mind, need.as_ptr(), by) })
}

pub fn save(mind: RepertoireMind) -> Result<Vec<u8>> {
    let mut length = 0;
    // SAFETY: only the length is asked for.
    checked(unsafe { repertoire_mind_save(mind, std::ptr::null_mut(), 0, &mut length) })?;
    let mut bytes = vec![0; length];
    // SAFETY: the buffer has that length.
    checked(unsafe { repertoire_mind_save(mind, bytes.as_mut_ptr(), length, &mut length) })?;
    assert_eq!(length, bytes.len());
    Ok(bytes)
}

pub fn restore(mind: RepertoireMind, bytes: &[u8]) -> Result<()> {
    // SAFETY: that many bytes.
    checked(unsafe { repertoire_mind_restore(mind, bytes.as_ptr(), bytes.len()) })
}

pub fn report(mind: RepertoireMind) -> Result<String> {
    let mut length = 0;
    // SAFETY: only the length is asked for.
    checked(unsafe { repertoire_mind_report(mind, std::ptr::null_mut(), 0, &mut length) })?;
    let mut text = vec![0u8; length];
    // SAFETY: the buffer has that length.
    checked(unsafe { repertoire_mind_report(mind, text.as_mut_ptr().cast(), length, &mut length) })?;
    assert_eq!(text.pop(), Some(0), "it ends with a NUL");
    Ok(String::from_utf8(text).unwrap())
}
