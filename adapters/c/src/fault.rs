//! What went wrong: a code for programs, a message with place and remedy for people.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};

use repertoire_authored::Mistake;
use repertoire_mind::game::SensesError;

/// What every call returns that can fail: REPERTOIRE_OK, or one of REPERTOIRE_ERROR_.... Later versions may add codes.
pub type RepertoireCode = i32;

/// The call did what it says.
pub const REPERTOIRE_OK: RepertoireCode = 0;
/// A pointer is NULL that must not be, or is not aligned for what it points to.
pub const REPERTOIRE_ERROR_POINTER: RepertoireCode = 1;
/// A handle that this library never gave out, or one of another kind (a design's where a mind's is needed).
pub const REPERTOIRE_ERROR_HANDLE: RepertoireCode = 2;
/// The handle of something that was freed.
pub const REPERTOIRE_ERROR_FREED: RepertoireCode = 3;
/// Text that is not UTF-8.
pub const REPERTOIRE_ERROR_TEXT: RepertoireCode = 4;
/// A mistake in a design or a table; repertoire_error_line and repertoire_error_column have its place.
pub const REPERTOIRE_ERROR_MISTAKE: RepertoireCode = 5;
/// A name that the design does not have; the message suggests one.
pub const REPERTOIRE_ERROR_NAME: RepertoireCode = 6;
/// A number of a task, sensor, value, fact or need that the design does not have.
pub const REPERTOIRE_ERROR_INDEX: RepertoireCode = 7;
/// A number that makes no sense here: NaN, a negative distance, probabilities that do not add up to 1.
pub const REPERTOIRE_ERROR_NUMBER: RepertoireCode = 8;
/// An array with too many or too few elements, or arrays that overlap.
pub const REPERTOIRE_ERROR_SIZE: RepertoireCode = 9;
/// The buffer is too small; the length that is needed was written.
pub const REPERTOIRE_ERROR_BUFFER: RepertoireCode = 10;
/// Bytes that are not a saved mind, or one of another design or version.
pub const REPERTOIRE_ERROR_STATE: RepertoireCode = 11;
/// Minds of several designs in one call, or one mind twice.
pub const REPERTOIRE_ERROR_MINDS: RepertoireCode = 12;
/// The mind has not decided anything yet: tick it first.
pub const REPERTOIRE_ERROR_UNDECIDED: RepertoireCode = 13;
/// The system gave no thread, or there are more than 4,294,967,295 things of a kind.
pub const REPERTOIRE_ERROR_LIMIT: RepertoireCode = 14;
/// A defect in this library ended an earlier call in the midst of changing this mind: restore it or free it.
pub const REPERTOIRE_ERROR_BROKEN: RepertoireCode = 15;
/// A defect in this library. Nothing crashed, but please report the message.
pub const REPERTOIRE_ERROR_DEFECT: RepertoireCode = 16;

/// An error on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// For programs.
    pub code: RepertoireCode,
    /// For people: what is wrong, and the remedy.
    pub message: String,
    /// Line and column of a mistake in a text, counted from 1; otherwise 0.
    pub place: (u32, u32),
}

impl Fault {
    pub(crate) fn new(code: RepertoireCode, message: impl Into<String>) -> Self {
        Fault { code, message: message.into(), place: (0, 0) }
    }

    /// A mistake in a text; `file` is what the caller calls it.
    pub(crate) fn mistake(mistake: &Mistake, file: Option<&str>) -> Self {
        let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Fault {
            code: REPERTOIRE_ERROR_MISTAKE,
            message: file.map_or_else(|| mistake.to_string(), |file| format!("{file}:{mistake}")),
            place: (narrow(mistake.line), narrow(mistake.column)),
        }
    }

    /// Keeps the message for the thread and gives the code.
    pub(crate) fn keep(self) -> RepertoireCode {
        let text = CString::new(self.message.replace('\0', "\u{fffd}")).unwrap_or_default();
        // At the end of a thread there is nobody left who could ask.
        let _ = LAST.try_with(|last| *last.borrow_mut() = (text, self.place));
        self.code
    }
}

impl From<SensesError> for Fault {
    fn from(error: SensesError) -> Self {
        let code = match error {
            SensesError::NoSuchName { .. } => REPERTOIRE_ERROR_NAME,
            _ => REPERTOIRE_ERROR_NUMBER,
        };
        Fault::new(code, error.to_string())
    }
}

thread_local! {
    static LAST: RefCell<(CString, (u32, u32))> = RefCell::default();
}

/// The message of the thread's last error. The text stays in place until the thread's next error.
pub(crate) fn last_message() -> *const c_char {
    const NONE: &CStr = c"";
    LAST.try_with(|last| last.borrow().0.as_ptr()).unwrap_or(NONE.as_ptr())
}

pub(crate) fn last_place() -> (u32, u32) {
    LAST.try_with(|last| last.borrow().1).unwrap_or_default()
}

#[cfg(test)]
pub(crate) fn last_text() -> String {
    LAST.with(|last| last.borrow().0.to_string_lossy().into_owned())
}
