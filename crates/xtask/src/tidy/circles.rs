//! The modules of a crate stand one above the other: no more than a few of them need each other in a circle.
//!
//! Read from the text: what a file names of other files of its crate, in `use` and in paths that begin with `crate`, `super`, `self`
//! or a module of its own. A name that is only passed on (`pub use`) is needed of where it is defined, not of who passes it on.
//! Not seen: what macros make, methods, and globs, of which the module itself is taken as needed. Tests are left out: they
//! stand above all.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use super::source::{Source, Violation};

/// A circle of more files than this is opened.
const LARGEST_FILES: usize = 3;

/// Where a module stands in its crate, such as `["tasks", "listing"]`; nothing for the crate itself.
type Module<'a> = Vec<&'a str>;

/// Looks at every crate of the repository.
pub fn check(sources: &[Source]) -> Vec<Violation> {
    let mut crates: BTreeMap<&str, Vec<&Source>> = BTreeMap::new();
    for source in sources.iter().filter(|source| source.parts.is_some() && !is_test(&source.path)) {
        if let Some(root) = root_of(&source.path) {
            crates.entry(root).or_default().push(source);
        }
    }
    crates.iter().flat_map(|(root, files)| check_crate(root, files)).collect()
}

/// The folder of the crate that a file is of: a program in `src/bin` is one of its own.
fn root_of(path: &str) -> Option<&str> {
    let end = path.find("src/")? + "src".len();
    let within = path.get(end + 1..)?;
    match within.strip_prefix("bin/").and_then(|rest| rest.find('/')) {
        Some(name) => path.get(..end + "/bin/".len() + name),
        None => path.get(..end),
    }
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/src/tests/")
}

fn module_of<'a>(root: &str, path: &'a str) -> Module<'a> {
    let within = path.get(root.len() + 1..).unwrap_or_default().trim_end_matches(".rs");
    let mut parts: Module = within.split('/').collect();
    if matches!(parts.last(), Some(&"mod" | &"lib" | &"main")) {
        parts.pop();
    }
    parts
}

fn check_crate(root: &str, files: &[&Source]) -> Vec<Violation> {
    let mut modules: HashMap<Module, usize> = HashMap::new();
    for (index, source) in files.iter().enumerate() {
        // A crate that is a library and a program has its library first.
        modules.entry(module_of(root, &source.path)).or_insert(index);
    }
    let needs = read_needs(root, files, &modules);
    let path_of = |index: &usize| files.get(*index).map_or("", |source| source.path.as_str());
    let circles = find_circles(&needs).into_iter().filter(|circle| circle.len() > LARGEST_FILES);
    circles
        .map(|circle| {
            let way: Vec<&str> = shortest_way_round(&needs, &circle).iter().map(path_of).collect();
            let words = format!(
                "{} files need each other in a circle, {LARGEST_FILES} may; move what they share below them: {}",
                circle.len(),
                way.join(" → ")
            );
            Violation::new(circle.first().map_or(root, path_of), 0, words)
        })
        .collect()
}

/// A name that a file takes from a module.
struct Named<'a> {
    from: Module<'a>,
    name: Option<&'a str>,
    is_passed_on: bool,
}

/// Which files each file needs.
fn read_needs(root: &str, files: &[&Source], modules: &HashMap<Module, usize>) -> Vec<BTreeSet<usize>> {
    let codes: Vec<&str> = files.iter().map(|source| code_of(source)).collect();
    let homes: Vec<Module> = files.iter().map(|source| module_of(root, &source.path)).collect();
    let named: Vec<Vec<Named>> = codes.iter().zip(&homes).map(|(code, home)| read_names(code, home, modules)).collect();
    let mut passed_on: HashMap<(&Module, &str), &Module> = HashMap::new();
    for (home, names) in homes.iter().zip(&named) {
        for each in names.iter().filter(|each| each.is_passed_on) {
            if let Some(name) = each.name {
                passed_on.insert((home, name), &each.from);
            }
        }
    }
    let needs = named.iter().enumerate().map(|(index, names)| {
        let needed = names.iter().filter(|each| !each.is_passed_on).filter_map(|each| {
            let mut from = &each.from;
            // As often as there are files: names that are passed round in a circle are defined nowhere.
            for _ in files {
                match each.name.and_then(|name| passed_on.get(&(from, name))) {
                    Some(next) => from = next,
                    None => break,
                }
            }
            modules.get(from).copied()
        });
        needed.filter(|other| *other != index).collect()
    });
    needs.collect()
}

/// The code without its tests, which come last.
fn code_of(source: &Source) -> &str {
    let code = source.parts.as_ref().map_or("", |parts| parts.code.as_str());
    let is_of_tests = |at: &usize| {
        let next = code[*at..].lines().skip(1).find(|line| !line.trim().is_empty()).unwrap_or_default();
        let begins_line = *at == 0 || code[..*at].ends_with('\n');
        begins_line && next.starts_with("mod ") && next.trim_end().ends_with('{')
    };
    let end = code.match_indices("#[cfg(test)]").map(|(at, _)| at).find(is_of_tests);
    &code[..end.unwrap_or(code.len())]
}

fn read_names<'a>(code: &'a str, home: &Module<'a>, modules: &HashMap<Module, usize>) -> Vec<Named<'a>> {
    let mut names = Vec::new();
    let mut rest = code;
    while let Some((before, statement, after)) = next_use(rest) {
        read_paths(before, home, modules, &mut names);
        let is_passed_on = before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with("pub"));
        let mut paths = Vec::new();
        read_tree(statement, &[], &mut paths);
        names.extend(paths.iter().filter_map(|path| resolve(path, home, modules, is_passed_on)));
        rest = after;
    }
    read_paths(rest, home, modules, &mut names);
    names
}

/// The text before the next `use`, what it names, and the text after it.
fn next_use(code: &str) -> Option<(&str, &str, &str)> {
    let is_statement = |at: &usize| {
        let line = code[..*at].rsplit('\n').next().unwrap_or_default().trim();
        line.is_empty() || line == "pub" || (line.starts_with("pub(") && line.ends_with(')'))
    };
    let at = code.match_indices("use ").map(|(at, _)| at).find(is_statement)?;
    let (before, statement) = (&code[..at], &code[at + "use ".len()..]);
    let end = statement.find(';')?;
    Some((before, &statement[..end], &statement[end + 1..]))
}

/// Every path of a tree such as `a::{b, c::{d, e}}`.
fn read_tree<'a>(tree: &'a str, above: &[&'a str], paths: &mut Vec<Vec<&'a str>>) {
    let tree = tree.trim();
    let Some((head, inner)) = tree.split_once('{') else {
        let own = tree.split(" as ").next().unwrap_or(tree).split("::").map(str::trim).filter(|part| !part.is_empty());
        paths.push(above.iter().copied().chain(own).collect());
        return;
    };
    let above: Vec<&str> =
        above.iter().copied().chain(head.split("::").map(str::trim).filter(|part| !part.is_empty())).collect();
    let inner = inner.trim_end().strip_suffix('}').unwrap_or(inner);
    let (mut depth, mut begin) = (0_usize, 0);
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                read_tree(&inner[begin..at], &above, paths);
                begin = at + 1;
            }
            _ => {}
        }
    }
    if !inner[begin..].trim().is_empty() {
        read_tree(&inner[begin..], &above, paths);
    }
}

/// The paths within code, such as `crate::words::problem` or, for a module of its own, `history::file_stem`.
fn read_paths<'a>(code: &'a str, home: &Module<'a>, modules: &HashMap<Module, usize>, names: &mut Vec<Named<'a>>) {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    for word in code.split(|letter| !is_part(letter)).filter(|word| word.contains("::") && !word.starts_with(':')) {
        let path: Vec<&str> = word.split("::").filter(|part| !part.is_empty()).collect();
        names.extend(resolve(&path, home, modules, false));
    }
}

/// The module that a path leads to, as far as it is one of this crate, and the first name of that module.
fn resolve<'a>(
    path: &[&'a str],
    home: &Module<'a>,
    modules: &HashMap<Module, usize>,
    is_passed_on: bool,
) -> Option<Named<'a>> {
    let mut parts = path.iter().copied().peekable();
    let mut from = match *parts.peek()? {
        "crate" => Vec::new(),
        "self" | "super" => home.clone(),
        first => {
            let child: Module = home.iter().copied().chain([first]).collect();
            modules.contains_key(&child).then(|| home.clone())?
        }
    };
    while let Some(step) = parts.next_if(|part| matches!(*part, "crate" | "self" | "super")) {
        if step == "super" {
            from.pop();
        }
    }
    while let Some(part) = parts.peek().copied() {
        from.push(part);
        if !modules.contains_key(&from) {
            from.pop();
            break;
        }
        parts.next();
    }
    Some(Named { from, name: parts.next().filter(|name| *name != "self" && *name != "*"), is_passed_on })
}

/// The files that need each other, each circle once.
fn find_circles(needs: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let reached: Vec<BTreeSet<usize>> = (0..needs.len()).map(|from| reach(needs, from)).collect();
    let mut circles: BTreeSet<Vec<usize>> = BTreeSet::new();
    for (from, there) in reached.iter().enumerate() {
        let circle: Vec<usize> =
            there.iter().copied().filter(|to| reached.get(*to).is_some_and(|back| back.contains(&from))).collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

/// Every file that is needed from here, by way of others too.
fn reach(needs: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(at) = next.pop() {
        next.extend(needs.get(at).into_iter().flatten().filter(|to| reached.insert(**to)));
    }
    reached
}

/// The shortest way from a file of a circle back to itself, which stands at both ends.
fn shortest_way_round(needs: &[BTreeSet<usize>], circle: &[usize]) -> Vec<usize> {
    let ways = circle.iter().filter_map(|from| {
        let mut before: HashMap<usize, usize> = HashMap::new();
        let mut next = VecDeque::from([*from]);
        while let Some(at) = next.pop_front() {
            for to in needs.get(at).into_iter().flatten() {
                if !before.contains_key(to) {
                    before.insert(*to, at);
                    next.push_back(*to);
                }
            }
        }
        let mut way = vec![*from];
        loop {
            let at = *before.get(way.last()?)?;
            way.push(at);
            if at == *from {
                way.reverse();
                return Some(way);
            }
        }
    });
    ways.min_by_key(Vec::len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a crate of these files, each with its text.
    fn said(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> =
            files.iter().map(|(path, text)| Source::new(&format!("crates/a/src/{path}.rs"), text)).collect();
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn more_than_three_files_in_a_circle_are_found_however_they_name_each_other() {
        // How the fourth file names the first.
        let cases = [
            ("use crate::one::A;", true),
            ("use crate::{other, one};", true),
            ("pub(crate) fn f() -> crate::one::A {}", true),
            ("use super::one;", true),
            ("use std::{\n    fmt,\n};\nuse crate::{\n    other::{B, C},\n    one::{self, A as D},\n};", true),
            ("fn f() { use crate::one::A; }", true),
            ("use crate::other::A;", true),
            ("use crate::other::B;", false),
            ("// use crate::one::A;\nconst A: &str = \"crate::one::A\";", false),
            ("use crate::once::A;", false),
            ("pub use crate::one::A;", false),
            ("#[cfg(test)]\nmod tests {\n    use crate::one::A;\n}", false),
            ("#[cfg(test)]\nuse crate::one::A;", true),
        ];
        for (names, is_circle) in cases {
            let files = [
                ("lib", "mod one;\nmod two;\nmod three;\nmod four;\nmod other;"),
                ("one", "use crate::two::A;"),
                ("two", "use crate::three::A;"),
                ("three", "use crate::four::A;"),
                ("four", names),
                ("other", "pub use crate::one::A;"),
            ];
            assert_eq!(!said(&files).is_empty(), is_circle, "{names}");
        }
    }

    #[test]
    fn a_folder_and_its_own_modules_are_files_like_others() {
        let files = |own: &'static str| {
            [
                ("lib", "mod drive;"),
                ("drive", own),
                ("drive/one", "use super::Drive;\nuse super::two;"),
                ("drive/two", "use crate::drive::three::A;"),
                ("drive/three", "use super::super::drive::Drive;"),
            ]
        };
        assert_eq!(said(&files("mod one;\nmod two;\nmod three;\npub use self::one::A;")), [""; 0]);
        let said_of_four = said(&files("mod one;\nmod two;\nmod three;\nfn f() { one::f() }"));
        assert!(said_of_four[0].contains("4 files need each other"), "{said_of_four:?}");
        assert!(said_of_four[0].contains("crates/a/src/drive.rs → crates/a/src/drive/one.rs → crates/a/src/drive.rs"));
    }

    #[test]
    fn three_files_may_need_each_other_and_crates_are_looked_at_by_themselves() {
        let three = [("one", "use crate::two::A;"), ("two", "use crate::three::A;"), ("three", "use crate::one::A;")];
        assert_eq!(said(&three), [""; 0]);
        assert_eq!(root_of("crates/a/src/bin/b/main.rs"), Some("crates/a/src/bin/b"));
        assert_eq!(root_of("crates/a/src/one/two.rs"), Some("crates/a/src"));
        assert_eq!(root_of("tests/app/main.rs"), None);
    }
}
