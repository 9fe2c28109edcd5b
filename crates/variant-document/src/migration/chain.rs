//! [`Chain`]: migrations in the order in which they follow each other.

use std::collections::{BTreeMap, BTreeSet};

use super::step::Step;
use super::version::Version;

/// The steps from one version to the next.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) from: Version,
    pub(super) to: Version,
    pub(super) schema: Option<String>,
    pub(super) steps: Vec<Step>,
}

/// All migrations. One migration starts at each version except the newest, and all of them lead to the newest.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    links: BTreeMap<Version, Link>,
    pub(super) newest: Version,
}

impl Chain {
    /// The chain of these links. The error has the position of the link that does not fit, and the reason.
    pub(super) fn of(all: Vec<Link>) -> Result<Self, (usize, String)> {
        let mut links = BTreeMap::new();
        let mut places = BTreeMap::new();
        for (at, link) in all.into_iter().enumerate() {
            let from = link.from.clone();
            if links.insert(from.clone(), link).is_some() {
                return Err((at, format!("two migrations are from version {from}")));
            }
            places.insert(from, at);
        }
        let newest = newest(&links, &places)?;
        let reached = leading_to(&newest, &links);
        match links.keys().find(|from| !reached.contains(from)) {
            None => Ok(Self { links, newest }),
            Some(from) => {
                let why = format!("the migrations from version {from} lead back to it");
                Err((places.get(from).copied().unwrap_or_default(), why))
            }
        }
    }

    /// The next migration of a value of this version.
    pub(super) fn next(&self, version: &Version) -> Option<&Link> {
        self.links.get(version)
    }

    pub(super) fn links(&self) -> impl Iterator<Item = &Link> {
        self.links.values()
    }

    /// The versions that can be migrated, and the newest.
    pub(super) fn versions(&self) -> impl Iterator<Item = &Version> {
        self.links.keys().chain([&self.newest])
    }

    /// The message for a version that has no migration.
    pub(super) fn unknown(&self, version: &Version) -> String {
        let newest = &self.newest;
        if matches!((version, newest), (Version::Number(own), Version::Number(newest)) if own > newest)
        {
            return format!(
                "the value is of version {version}, which is newer than {newest}, the newest of these steps"
            );
        }
        let known: Vec<_> = self.versions().map(ToString::to_string).collect();
        format!(
            "the value is of version {version}, which no migration is from; known: {}",
            known.join(", ")
        )
    }
}

/// The newest version: a migration leads to it, and no migration starts at it. An error if there is no such version, or
/// more than one.
fn newest(
    links: &BTreeMap<Version, Link>,
    places: &BTreeMap<Version, usize>,
) -> Result<Version, (usize, String)> {
    let mut ends: Vec<_> = links.values().filter(|link| !links.contains_key(&link.to)).collect();
    ends.sort_by_key(|link| places.get(&link.from));
    let Some(last) = ends.last() else {
        return Err((0, "the migrations lead in a circle, so no version is the newest".to_owned()));
    };
    match ends.iter().find(|end| end.to != last.to) {
        None => Ok(last.to.clone()),
        Some(gap) => {
            let why = format!(
                "no migration is from version {}, so it does not lead to {}",
                gap.to, last.to
            );
            Err((places.get(&gap.from).copied().unwrap_or_default(), why))
        }
    }
}

/// The versions from which migrations lead to `newest`.
fn leading_to<'l>(
    newest: &'l Version,
    links: &'l BTreeMap<Version, Link>,
) -> BTreeSet<&'l Version> {
    let mut into: BTreeMap<&Version, Vec<&Version>> = BTreeMap::new();
    for link in links.values() {
        into.entry(&link.to).or_default().push(&link.from);
    }
    let (mut reached, mut open) = (BTreeSet::new(), vec![newest]);
    while let Some(version) = open.pop() {
        for from in into.get(version).into_iter().flatten() {
            if reached.insert(*from) {
                open.push(from);
            }
        }
    }
    reached
}
