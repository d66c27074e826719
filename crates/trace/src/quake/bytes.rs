//! A message's bytes, read from the front; little-endian, and never beyond the end.

/// Why a message could not be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Broken {
    /// The message ends in the middle of something.
    #[error("a message ends in the middle of {0}")]
    Short(&'static str),
    /// A kind of message that nobody knows, or whose length depends on an extension that is not supported.
    #[error("message {0} is not known")]
    Unknown(u8),
    /// A number that cannot be there.
    #[error("{0}")]
    Nonsense(&'static str),
}

/// What is left of a message.
#[derive(Clone, Debug)]
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Bytes { rest }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.rest.len()
    }

    /// The next bytes, as they are.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Broken> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Broken::Short("a block of bytes"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Broken> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(Broken::Short(what))?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Broken> {
        Ok(u8::from_le_bytes(self.array("a byte")?))
    }

    pub(super) fn u16(&mut self) -> Result<u16, Broken> {
        Ok(u16::from_le_bytes(self.array("a short number")?))
    }

    pub(super) fn i16(&mut self) -> Result<i16, Broken> {
        Ok(i16::from_le_bytes(self.array("a short number")?))
    }

    pub(super) fn u32(&mut self) -> Result<u32, Broken> {
        Ok(u32::from_le_bytes(self.array("a long number")?))
    }

    pub(super) fn i32(&mut self) -> Result<i32, Broken> {
        Ok(i32::from_le_bytes(self.array("a long number")?))
    }

    /// A finite number.
    pub(super) fn f32(&mut self) -> Result<f32, Broken> {
        let number = f32::from_le_bytes(self.array("a decimal number")?);
        if number.is_finite() { Ok(number) } else { Err(Broken::Nonsense("a number is infinite or none")) }
    }

    /// Text up to a zero byte, in plain ASCII: Quake's fonts repeat the letters with the high bit set, and use control codes for
    /// coloured digits, brackets and dots.
    pub(super) fn text(&mut self) -> Result<String, Broken> {
        let end = self.rest.iter().position(|&byte| byte == 0).ok_or(Broken::Short("a text"))?;
        let text = self.rest[..end].iter().map(|&byte| plain(byte)).collect();
        self.rest = &self.rest[end + 1..];
        Ok(text)
    }
}

fn plain(byte: u8) -> char {
    match byte & 0x7f {
        0x05 | 0x0e | 0x0f | 0x1c => '.',
        0x0a => '\n',
        0x0d => '>',
        0x10 | 0x1d => '[',
        0x11 | 0x1f => ']',
        digit @ 0x12..=0x1b => char::from(digit - 0x12 + b'0'),
        0x1e => '=',
        0x00..=0x1f | 0x7f => '_',
        letter => char::from(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coloured_letters_become_plain_and_nothing_is_read_beyond_the_end() {
        let mut bytes = Bytes::new(&[0xe1, 0x12, 0x10, b'x', 0x91, 0, 1, 2]);
        assert_eq!(bytes.text().unwrap(), "a0[x]");
        assert_eq!(bytes.u16().unwrap(), 0x0201);
        assert_eq!(bytes.u8(), Err(Broken::Short("a byte")));
        assert_eq!(Bytes::new(b"endless").text(), Err(Broken::Short("a text")));
    }
}
