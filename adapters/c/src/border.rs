//! Where pointers become references, and panics become codes.
//!
//! A pointer is checked for NULL and alignment, a length for what any object can have, text for UTF-8. What cannot be
//! checked is that the memory is there, which is what `unsafe` on these functions says.

use std::any::Any;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::fault::{
    Fault, REPERTOIRE_ERROR_BUFFER, REPERTOIRE_ERROR_DEFECT, REPERTOIRE_ERROR_POINTER, REPERTOIRE_ERROR_SIZE,
    REPERTOIRE_ERROR_TEXT, REPERTOIRE_OK, RepertoireCode,
};

/// Runs a call: whatever happens inside, a code comes out.
pub fn guard(call: impl FnOnce() -> Result<(), Fault>) -> RepertoireCode {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => REPERTOIRE_OK,
        Ok(Err(fault)) => fault.keep(),
        Err(panic) => defect(panic.as_ref()).keep(),
    }
}

/// What a panic says.
pub fn defect(panic: &(dyn Any + Send)) -> Fault {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    Fault::new(REPERTOIRE_ERROR_DEFECT, format!("a defect in Repertoire, please report it: {said}"))
}

fn check<T>(pointer: *const T, what: &str) -> Result<(), Fault> {
    if pointer.is_null() {
        return Err(Fault::new(REPERTOIRE_ERROR_POINTER, format!("`{what}` is NULL")));
    }
    if !pointer.is_aligned() {
        let message = format!("`{what}` is not aligned for what it points to");
        return Err(Fault::new(REPERTOIRE_ERROR_POINTER, message));
    }
    Ok(())
}

/// A name that ends with a NUL.
///
/// # Safety
/// A pointer that is not NULL leads to text that ends with a NUL and does not change while `'a` lasts.
pub unsafe fn name<'a>(text: *const c_char, what: &str) -> Result<&'a str, Fault> {
    check(text, what)?;
    // SAFETY: it is not NULL, and the caller promises a NUL at its end.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str()
        .map_err(|error| Fault::new(REPERTOIRE_ERROR_TEXT, format!("`{what}` is not UTF-8: {error}")))
}

/// A name that may be left out.
///
/// # Safety
/// As for [`name`].
pub unsafe fn name_or_none<'a>(text: *const c_char, what: &str) -> Result<Option<&'a str>, Fault> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller promises what `name` asks for.
    unsafe { name(text, what) }.map(Some)
}

/// Text of a length.
///
/// # Safety
/// A pointer that is not NULL leads to that many bytes, which do not change while `'a` lasts.
pub unsafe fn text<'a>(first: *const c_char, length: usize, what: &str) -> Result<&'a str, Fault> {
    // SAFETY: the caller promises what `array` asks for.
    let bytes = unsafe { array(first.cast::<u8>(), length, what) }?;
    std::str::from_utf8(bytes)
        .map_err(|error| Fault::new(REPERTOIRE_ERROR_TEXT, format!("`{what}` is not UTF-8: {error}")))
}

/// An array; it may be NULL if it is empty.
///
/// # Safety
/// A pointer that is not NULL leads to that many elements, which do not change while `'a` lasts.
pub unsafe fn array<'a, T: Copy>(first: *const T, length: usize, what: &str) -> Result<&'a [T], Fault> {
    if length == 0 {
        return Ok(&[]);
    }
    span(first, length, what)?;
    // SAFETY: aligned, not NULL, no longer than an object can be; the caller promises that the elements are there.
    Ok(unsafe { std::slice::from_raw_parts(first, length) })
}

/// An array to be written, which may hold anything before; it may be NULL if it is empty.
///
/// # Safety
/// A pointer that is not NULL leads to room for that many elements, which nobody else uses while `'a` lasts.
pub unsafe fn array_out<'a, T: Copy>(
    first: *mut T,
    length: usize,
    what: &str,
) -> Result<&'a mut [std::mem::MaybeUninit<T>], Fault> {
    if length == 0 {
        return Ok(&mut []);
    }
    span(first, length, what)?;
    // SAFETY: aligned, not NULL, no longer than an object can be; the caller promises that the room is there.
    Ok(unsafe { std::slice::from_raw_parts_mut(first.cast(), length) })
}

/// The addresses that an array takes, if it can be one.
pub fn span<T>(first: *const T, length: usize, what: &str) -> Result<std::ops::Range<usize>, Fault> {
    let too_long = || {
        Fault::new(
            REPERTOIRE_ERROR_SIZE,
            format!("`{what}` has {length} elements, more than fit into memory"),
        )
    };
    if length == 0 {
        return Ok(0..0);
    }
    check(first, what)?;
    let bytes = length.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
    let end = bytes.and_then(|bytes| first.addr().checked_add(bytes)).ok_or_else(too_long)?;
    Ok(first.addr()..end)
}

/// A place for one result.
pub struct Out<T>(*mut T);

impl<T: Copy> Out<T> {
    /// Checks the pointer before the call does anything, so that a call that fails changes nothing.
    ///
    /// # Safety
    /// A pointer that is not NULL leads to room for a `T`, as long as the `Out` lasts.
    pub unsafe fn new(pointer: *mut T, what: &str) -> Result<Self, Fault> {
        check(pointer, what)?;
        Ok(Out(pointer))
    }

    /// Writes the result.
    pub fn put(self, value: T) {
        // SAFETY: it was checked for NULL and alignment, and whoever made the `Out` promised the room.
        unsafe { self.0.write(value) }
    }
}

/// Room for bytes of which the caller does not know the number.
pub struct Buffer {
    first: *mut u8,
    capacity: usize,
    length: Out<usize>,
}

impl Buffer {
    /// A buffer may be NULL if its capacity is 0: then only the length is wanted.
    ///
    /// # Safety
    /// Pointers that are not NULL lead to room for `capacity` bytes and for one length, as long as the `Buffer` lasts.
    pub unsafe fn new(first: *mut u8, capacity: usize, length: *mut usize) -> Result<Self, Fault> {
        span(first, capacity, "buffer")?;
        // SAFETY: the caller promises room for the length.
        let length = unsafe { Out::new(length, "length") }?;
        Ok(Buffer { first, capacity, length })
    }

    /// Writes the bytes and their number; if they do not fit, only the number.
    pub fn fill(self, bytes: &[u8]) -> Result<(), Fault> {
        self.length.put(bytes.len());
        if self.capacity == 0 {
            return Ok(());
        }
        if bytes.len() > self.capacity {
            let message = format!("the buffer has {} bytes and {} are needed", self.capacity, bytes.len());
            return Err(Fault::new(REPERTOIRE_ERROR_BUFFER, message));
        }
        // SAFETY: not NULL, `bytes` are ours and fit; whoever made the `Buffer` promised the room.
        unsafe { self.first.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Ok(())
    }
}
