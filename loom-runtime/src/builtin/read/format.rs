//! What a file is, by its first bytes.

/// The mark that some texts in UTF-8 begin with.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Image {
        name: &'static str,
        mime_type: &'static str,
    },
    /// No text, and nothing that is shown.
    Other(&'static str),
}

/// What other files begin with.
const OTHERS: &[(&[u8], &str)] = &[
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a zip archive, or a document that is one"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"\x7fELF", "a program or a library"),
    (b"\0asm", "a WebAssembly module"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
];

impl Format {
    /// What a file with these first bytes is. A file with a NUL byte is no text.
    pub(super) fn of(head: &[u8]) -> Self {
        let image = |name, mime_type| Self::Image { name, mime_type };
        match head {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => return image("a PNG image", "image/png"),
            [0xff, 0xd8, 0xff, ..] => return image("a JPEG image", "image/jpeg"),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => return image("a GIF image", "image/gif"),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
                return image("a WebP image", "image/webp");
            }
            _ => {}
        }
        match OTHERS.iter().find(|(start, _)| head.starts_with(start)) {
            // A text may begin with the letters of an archive.
            Some((start, name)) if !start.is_ascii() || *start == b"%PDF-" || head.contains(&0) => Self::Other(name),
            _ if head.contains(&0) => Self::Other("a binary file"),
            _ => Self::Text,
        }
    }
}
