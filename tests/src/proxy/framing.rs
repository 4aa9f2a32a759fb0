//! Finds where a message of HTTP/1.1 ends.
//!
//! Always true here: bytes are counted and never changed. Not here: sockets, but for reading a head.

use std::io::{Error, ErrorKind, Result};

use tokio::io::AsyncReadExt;

/// The largest head that is read.
const MAX_HEAD_BYTES: usize = 1 << 20;

/// Everything up to the empty line.
pub(super) struct Head {
    bytes: Vec<u8>,
    text: String,
}

impl Head {
    /// Reads a head and leaves the bytes after it in `unread`; `None` where the connection ended before it began.
    pub(super) async fn read(from: &mut (impl AsyncReadExt + Unpin), unread: &mut Vec<u8>) -> Result<Option<Self>> {
        let mut buffer = vec![0; 16_384];
        loop {
            if let Some(end) = unread.windows(4).position(|window| window == b"\r\n\r\n") {
                let bytes: Vec<u8> = unread.drain(..end + 4).collect();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                return Ok(Some(Self { bytes, text }));
            }
            if unread.len() > MAX_HEAD_BYTES {
                return Err(Error::new(ErrorKind::InvalidData, "no end of the head"));
            }
            match from.read(&mut buffer).await? {
                0 if unread.is_empty() => return Ok(None),
                0 => return Err(Error::new(ErrorKind::UnexpectedEof, "the head was cut")),
                count => unread.extend_from_slice(&buffer[..count]),
            }
        }
    }

    /// The head as it came, with the empty line.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Names and values of the fields.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.text.lines().skip(1).filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.trim(), value.trim()))
        })
    }

    /// Method and target of a request.
    pub(super) fn request_line(&self) -> Result<(String, String)> {
        let mut words = self.text.lines().next().unwrap_or_default().split(' ');
        match (words.next(), words.next()) {
            (Some(method), Some(target)) => Ok((method.to_owned(), target.to_owned())),
            _ => Err(Error::new(ErrorKind::InvalidData, "no request line")),
        }
    }

    /// The status of an answer.
    pub(super) fn status(&self) -> Result<u16> {
        let word = self.text.split(' ').nth(1).unwrap_or_default();
        word.trim().parse().map_err(|_| Error::new(ErrorKind::InvalidData, "no status"))
    }

    /// Whether this is a HEAD request, whose answer has no body.
    pub(super) fn is_head_request(&self) -> bool {
        self.text.starts_with("HEAD ")
    }

    /// Whether the connection ends with this message.
    pub(super) fn closes(&self) -> bool {
        self.field("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.fields().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    fn is_chunked(&self) -> bool {
        self.field("transfer-encoding").is_some_and(|value| value.to_ascii_lowercase().contains("chunked"))
    }

    fn length(&self) -> Option<u64> {
        self.field("content-length")?.parse().ok()
    }
}

/// The result of looking at bytes.
pub(super) struct Step {
    /// Bytes that belong to the message.
    pub(super) consumed: usize,
    /// Bytes of the body among them, framing of chunks left out.
    pub(super) body_bytes: u64,
    /// Whether the message ends with them.
    pub(super) finished: bool,
}

/// How a message tells where its body ends.
pub(super) enum Framing {
    /// So many bytes are left.
    Length(u64),
    /// Chunk after chunk.
    Chunks(Chunk),
    /// Whatever comes until the connection ends.
    Connection,
}

/// The reader's position in the chunks.
pub(super) enum Chunk {
    /// Before a line that says the size.
    Size,
    /// Within a chunk, with so many bytes left of it and of the line end after it.
    Data { body: u64, line_end: u64 },
    /// After the last chunk: lines until an empty one.
    Trailer,
}

impl Framing {
    /// For a request: if it tells nothing about a body, there is none.
    pub(super) fn of_request(head: &Head) -> Self {
        if head.is_chunked() { Self::Chunks(Chunk::Size) } else { Self::Length(head.length().unwrap_or(0)) }
    }

    /// For an answer: if it tells nothing about a body, that lasts as long as the connection.
    pub(super) fn of_answer(head: &Head, to_head_request: bool) -> Self {
        if to_head_request || matches!(head.status(), Ok(204 | 304)) {
            Self::Length(0)
        } else if head.is_chunked() {
            Self::Chunks(Chunk::Size)
        } else {
            head.length().map_or(Self::Connection, Self::Length)
        }
    }

    /// Whether only the end of the connection ends the body.
    pub(super) const fn ends_with_connection(&self) -> bool {
        matches!(self, Self::Connection)
    }

    /// Takes as many of these bytes as belong to the body.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<Step> {
        match self {
            Self::Connection => Ok(Step { consumed: bytes.len(), body_bytes: bytes.len() as u64, finished: false }),
            Self::Length(left) => {
                let count = (*left).min(bytes.len() as u64);
                *left -= count;
                let consumed = usize::try_from(count).unwrap_or(bytes.len());
                Ok(Step { consumed, body_bytes: count, finished: *left == 0 })
            }
            Self::Chunks(chunk) => chunk.take(bytes),
        }
    }
}

impl Chunk {
    fn take(&mut self, bytes: &[u8]) -> Result<Step> {
        let mut step = Step { consumed: 0, body_bytes: 0, finished: false };
        loop {
            let rest = &bytes[step.consumed..];
            match self {
                Self::Data { body, line_end } => {
                    let from_body = (*body).min(rest.len() as u64);
                    let from_end = (*line_end).min(rest.len() as u64 - from_body);
                    *body -= from_body;
                    *line_end -= from_end;
                    step.body_bytes += from_body;
                    step.consumed += usize::try_from(from_body + from_end).unwrap_or(rest.len());
                    if *body + *line_end > 0 {
                        return Ok(step);
                    }
                    *self = Self::Size;
                }
                Self::Size | Self::Trailer => {
                    let Some(end) = rest.windows(2).position(|window| window == b"\r\n") else { return Ok(step) };
                    let line = String::from_utf8_lossy(&rest[..end]).into_owned();
                    step.consumed += end + 2;
                    if matches!(self, Self::Size) {
                        let size = line.split(';').next().unwrap_or_default().trim();
                        let size = u64::from_str_radix(size, 16)
                            .map_err(|_| Error::new(ErrorKind::InvalidData, "no size of a chunk"))?;
                        *self = if size == 0 { Self::Trailer } else { Self::Data { body: size, line_end: 2 } };
                    } else if line.is_empty() {
                        step.finished = true;
                        return Ok(step);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_end_where_they_end_however_they_are_cut() {
        let whole = b"5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nTrailer: x\r\n\r\nNEXT";
        for piece in 1..whole.len() {
            let (mut framing, mut unread) = (Framing::Chunks(Chunk::Size), Vec::new());
            let (mut body, mut taken, mut finished) = (0, 0, false);
            for bytes in whole.chunks(piece) {
                unread.extend_from_slice(bytes);
                if !finished {
                    let step = framing.take(&unread).unwrap();
                    unread.drain(..step.consumed);
                    body += step.body_bytes;
                    taken += step.consumed;
                    finished = step.finished;
                }
            }
            assert_eq!((body, taken, finished), (11, whole.len() - 4, true), "in pieces of {piece}");
        }
    }

    #[test]
    fn a_length_ends_after_so_many_bytes() {
        let mut framing = Framing::Length(5);
        let step = framing.take(b"abc").unwrap();
        assert_eq!((step.consumed, step.finished), (3, false));
        let step = framing.take(b"defg").unwrap();
        assert_eq!((step.consumed, step.body_bytes, step.finished), (2, 2, true));
    }

    #[test]
    fn a_size_that_is_none_is_refused() {
        assert!(Framing::Chunks(Chunk::Size).take(b"zz\r\n").is_err());
    }
}
