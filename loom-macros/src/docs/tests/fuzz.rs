//! Random soups of lines. What can be said of any: nothing panics, and what no section drops is still there.

use super::{block_lines, doc_lines, parse};

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(count.max(1)).unwrap_or(1)).unwrap_or(0)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from.get(self.below(from.len())).copied().unwrap_or_default()
    }
}

const INDENTS: [&str; 8] = ["", "", "", " ", "  ", "    ", "        ", "\t"];
/// Underlines come with their titles: a word in the title of a subsection may go with what was in it.
const PARAMS: [&str; 12] = [
    "# Arguments",
    "## Args:",
    "### Parameters",
    "Args:",
    "Parameters:",
    "**Params**",
    "Parameters\n----------",
    "Other Parameters\n---",
    "Args\n=====",
    "Parameters",
    "## Other",
    "Other\n---",
];
const DROPPED: [&str; 10] = [
    "# Returns",
    "## Examples",
    "Returns:",
    "Note:",
    "Returns\n---",
    "See Also\n---",
    ":returns: @",
    ":rtype: @",
    "**Raises:**",
    "### Safety",
];
/// An `@` is where a word goes that occurs once, to be looked for afterwards. Those in texts are no types, which may
/// be lost.
const TEXT: [&str; 36] = [
    "",
    "",
    "@",
    "Some @ text.",
    "text @ here",
    "* `name` - @ end.",
    "- name: @ end.",
    "+ name — @ end.",
    "1. name: @ end.",
    "- **name:** @ end.",
    "- `@`",
    "- @ is not an entry",
    "* `a`, `b` - @ end.",
    "name: @ end.",
    "name (int): @ end.",
    "name (@",
    "name",
    "name:",
    ": @ end.",
    ":param name: @ end.",
    ":param int name: @ end.",
    ":param: @ end.",
    ":param a.b: @ end.",
    "- **@",
    "**@**",
    "`@",
    "| @ | x |",
    "> @ end.",
    "Note: @ end.",
    "@: x",
    "_: @ end.",
    "ü: @ end. ü",
    "*args: @ end.",
    "-",
    "#",
    "::",
];
const FENCES: [&str; 5] = ["```", "~~~", "```rust", "````", "``` @ ```"];

struct Soup {
    text: String,
    words: Vec<String>,
}

fn soup(random: &mut Random, kinds: &[&[&str]]) -> Soup {
    let mut lines = Vec::new();
    let mut words = Vec::new();
    for n in 0..random.below(24) {
        let kind = random.below(kinds.len());
        let line = random.pick(kinds.get(kind).copied().unwrap_or_default());
        let indent = random.pick(&INDENTS);
        let word = format!("w{n}w");
        if line.contains('@') {
            words.push(word.clone());
        }
        lines.push(format!("{indent}{}", line.replace('@', &word)));
    }
    Soup { text: lines.join("\n"), words }
}

fn assert_kept(comment: &str, words: &[String]) {
    let docs = parse(&doc_lines(comment));
    let mut all = docs.description;
    for param in docs.params {
        all.extend([" ", &param.name, " ", &param.text]);
    }
    let missing: Vec<&String> = words.iter().filter(|word| !all.contains(word.as_str())).collect();
    assert_eq!(missing, Vec::<&String>::new(), "lost from:\n{comment}\nwhich gave:\n{all}");
}

#[test]
fn without_a_dropped_section_nothing_is_lost() {
    let mut random = Random(1);
    for _ in 0..6_000 {
        let soup = soup(&mut random, &[&TEXT, &TEXT, &PARAMS, &FENCES, &TEXT]);
        assert_kept(&soup.text, &soup.words);
    }
}

#[test]
fn around_dropped_sections_nothing_is_lost() {
    let mut random = Random(2);
    for _ in 0..6_000 {
        let before = soup(&mut random, &[&TEXT, &TEXT, &PARAMS]);
        let dropped = soup(&mut random, &[&TEXT, &PARAMS, &DROPPED]);
        let after = soup(&mut random, &[&TEXT, &TEXT, &PARAMS]);
        let after_words = after.words.iter().map(|word| format!("z{word}"));
        let words: Vec<String> = before.words.into_iter().chain(after_words).collect();
        let after = words
            .iter()
            .filter(|word| word.starts_with('z'))
            .fold(after.text, |text, word| text.replace(word.trim_start_matches('z'), word));
        assert_kept(&format!("{}\n\n# Between\n\n{}\n\n# After\n\n{after}", before.text, dropped.text), &words);
    }
}

#[test]
fn text_without_sections_is_returned_as_it_is() {
    let mut random = Random(3);
    for _ in 0..2_000 {
        let soup = soup(&mut random, &[&["@", "Some @ text.", "- name: @", "`name` - @", "name: @", "## @", ""]]);
        let docs = parse(&doc_lines(&format!("First.\n{}", soup.text)));
        let lines = |text: &str| {
            text.split('\n').map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines(&docs.description), lines(&format!("First.\n{}", soup.text)));
        assert_eq!(docs.params.len(), 0);
    }
}

#[test]
fn any_characters_at_all() {
    let mut random = Random(4);
    let pieces = [
        "`", "``", "```", "*", "**", ":", "::", "-", "—", " ", "  ", "\t", "\n", "\n", "\n ", "\r", "(", ")", "#", "a",
        "é", "\u{a0}", "\u{3000}", "𝒳", "_", "~~~", "===", "---", "param", "Args:", "Returns", "1.", ",", "&", "r#",
        "mut ", "|", ">", "\0",
    ];
    for _ in 0..10_000 {
        let text: String = (0..random.below(40)).map(|_| random.pick(&pieces)).collect();
        drop(parse(&doc_lines(&text)));
        drop(block_lines(&text));
    }
}

#[test]
fn long_input_takes_no_long_time() {
    for line in [
        "Args:",
        "  Args:\n",
        "* `a` - A.",
        "a: A.",
        "    a: A.",
        "Parameters\n---\na",
        "```",
        ":param a: A.",
        "Returns:\n\n",
        "",
        "((((",
    ] {
        let text = format!("{line}\n").repeat(2_000);
        drop(parse(&doc_lines(&text)));
        drop(parse(&doc_lines(&format!("# Arguments\n{text}"))));
        drop(parse(&doc_lines(&format!("Args:\n    a: {}", text.replace('\n', "(")))));
    }
}
