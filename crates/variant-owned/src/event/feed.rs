//! `&Variant` as a producer, without recursion.

use std::convert::Infallible;
use std::{mem, slice};

use variant_view::{
    ArrayHead, Consumer, DictionaryHead, FeedError, Head, Kind, Leaf, PathStep, Producer,
};

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::key::KeyRule;
use crate::levels::Levels;
use crate::object::Object;
use crate::path::Form;
use crate::text::Text;
use crate::tree::Children;
use crate::variant::Variant;

impl Producer for &Variant {
    type Error = Infallible;

    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Infallible, C::Error>> {
        feed(self, consumer, &leaf).map_err(FeedError::Consumer)
    }
}

/// Feeds a leaf to a consumer. Short text is fed by [`Consumer::short_text`].
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn leaf<C: Consumer>(value: &Variant, consumer: &mut C) -> Result<(), C::Error> {
    if let Variant::String(text) | Variant::StringName(text) = value
        && let Some(text) = text.as_short()
    {
        return consumer.short_text(matches!(value, Variant::StringName(_)), text);
    }
    if cfg!(variant_small) {
        // The code that makes leaves is compiled once, not once per consumer.
        let mut given = Ok(());
        let take: &mut dyn FnMut(Leaf<'_>) = &mut |leaf| given = consumer.leaf(leaf);
        value.with_leaf(take);
        return given;
    }
    value.with_leaf(|leaf| consumer.leaf(leaf))
}

/// Feeds a leaf, or the head of a container whose `len` children follow; `len` is `None` if the number is unknown.
pub(crate) fn begin<C: Consumer>(
    shell: &Variant,
    len: Option<usize>,
    rule: Option<KeyRule>,
    consumer: &mut C,
) -> Result<(), C::Error> {
    let Some(mut head) = head_of(shell) else { return leaf(shell, consumer) };
    match &mut head {
        Head::Array(head) => head.len = len,
        Head::Dictionary(head) => (head.len, head.rule) = (len, rule),
        Head::Object { len: own, rule: own_rule, .. } => (*own, *own_rule) = (len, rule),
    }
    consumer.enter(head)
}

/// The function that passes leaves to a consumer.
pub(crate) trait GiveLeaf<C: Consumer> {
    fn give(&self, value: &Variant, consumer: &mut C) -> Result<(), C::Error>;
}

impl<C: Consumer, F: Fn(&Variant, &mut C) -> Result<(), C::Error>> GiveLeaf<C> for F {
    #[cfg_attr(not(variant_small), inline(always))]
    fn give(&self, value: &Variant, consumer: &mut C) -> Result<(), C::Error> {
        self(value, consumer)
    }
}

/// Feeds a value to a consumer. The leaves are fed by `leaf`.
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn feed<C: Consumer>(
    value: &Variant,
    consumer: &mut C,
    leaf: &impl GiveLeaf<C>,
) -> Result<(), C::Error> {
    feed_to_end(value, consumer, leaf).map_err(|(error, _)| error)
}

/// Does the same as [`feed`], but an error also contains the place of the refused value.
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn feed_to_end<'v, C: Consumer>(
    value: &'v Variant,
    consumer: &mut C,
    leaf: &impl GiveLeaf<C>,
) -> Result<(), (C::Error, Stopped<'v>)> {
    let mut around = Levels::new();
    let mut top = Children::Elements(slice::from_ref(value).iter());
    loop {
        let error = match top.feed(consumer, leaf) {
            Ok(Some(children)) => {
                around.push(mem::replace(&mut top, children));
                continue;
            }
            Ok(None) => {
                let Some(rest) = around.pop() else { return Ok(()) };
                top = rest;
                match consumer.exit() {
                    Ok(()) => continue,
                    Err(error) => error,
                }
            }
            Err(error) => error,
        };
        // `top` is moved into a copy. If its address left the function, `top` would be in memory during the loop
        // instead of in registers.
        let last = mem::replace(&mut top, Children::Elements(slice::Iter::default()));
        return Err((error, Stopped::new(around, last)));
    }
}

/// The place at which a walk stopped: the remaining children of each open container, outermost first.
pub(crate) struct Stopped<'v>(Box<[Children<'v>]>);

impl<'v> Stopped<'v> {
    #[cold]
    #[inline(never)]
    fn new(around: Levels<Children<'v>>, top: Children<'v>) -> Self {
        Self(around.into_vec(top).into())
    }

    /// The steps from `root`, the walked value, to the last value that was fed.
    pub(crate) fn steps(&self, root: &Variant) -> Vec<PathStep<'static>> {
        let mut value = Some(root);
        // The outermost level has the root alone.
        let levels = self.0.iter().skip(1);
        let steps = levels.map_while(|children| {
            let step = children.last_step(value?)?;
            value = value?.at_step(step);
            Some(step)
        });
        steps.collect()
    }

    /// The step to the first child of the last value that was fed.
    pub(crate) fn first_of_last(&self, root: &Variant) -> Option<PathStep<'static>> {
        let last = self.steps(root).iter().try_fold(root, |value, step| value.at_step(*step))?;
        Some(Children::of(last)?.form().step(0))
    }
}

impl<'v> Children<'v> {
    const fn form(&self) -> Form {
        match self {
            Self::Elements(_) => Form::Elements,
            Self::Pairs(..) => Form::Pairs,
            Self::Properties(_) => Form::Properties,
        }
    }

    /// The step to the child of `container` that was taken last. `self` has the remaining children.
    fn last_step(&self, container: &Variant) -> Option<PathStep<'static>> {
        let (all, left) = match (self, Children::of(container)?) {
            (Self::Elements(left), Children::Elements(all)) => (all.len(), left.len()),
            (Self::Pairs(left, pending), Children::Pairs(all, _)) => {
                let left = left.len().saturating_mul(2);
                (all.len().saturating_mul(2), left.saturating_add(pending.iter().len()))
            }
            (Self::Properties(left), Children::Properties(all)) => (all.len(), left.len()),
            _ => return None,
        };
        Some(self.form().step(all.checked_sub(left)?.checked_sub(1)?))
    }

    /// Feeds values up to the head of the next container, and returns its children.
    #[cfg_attr(not(variant_small), inline(always))]
    fn feed<C: Consumer>(
        &mut self,
        consumer: &mut C,
        leaf: &impl GiveLeaf<C>,
    ) -> Result<Option<Self>, C::Error> {
        match self {
            Self::Elements(all) => {
                for value in all {
                    if let Some(children) = Self::give(value, consumer, leaf)? {
                        return Ok(Some(children));
                    }
                }
            }
            Self::Pairs(all, pending) => {
                if let Some(value) = pending.take() {
                    let children = Self::give_rare(value, consumer, leaf)?;
                    if children.is_some() {
                        return Ok(children);
                    }
                }
                for (key, value) in all {
                    match Self::give(key, consumer, leaf) {
                        Ok(None) => {}
                        Ok(Some(children)) => {
                            *pending = Some(value);
                            return Ok(Some(children));
                        }
                        Err(error) => {
                            *pending = Some(value);
                            return Err(error);
                        }
                    }
                    if let Some(children) = Self::give(value, consumer, leaf)? {
                        return Ok(Some(children));
                    }
                }
            }
            Self::Properties(all) => {
                for (name, value) in all {
                    consumer.name(name.as_bytes())?;
                    let children = Self::give_rare(value, consumer, leaf)?;
                    if children.is_some() {
                        return Ok(children);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Feeds a leaf, or the head of a container.
    #[cfg_attr(not(variant_small), inline(always))]
    fn give<C: Consumer>(
        value: &'v Variant,
        consumer: &mut C,
        leaf: &impl GiveLeaf<C>,
    ) -> Result<Option<Self>, C::Error> {
        match Self::of(value) {
            Some(children) => {
                match value {
                    // The heads of these frequent containers are constant except for the length. So an inlined consumer
                    // does not check types, flags and rule.
                    Variant::Dictionary(dictionary) if dictionary.is_plain() => {
                        consumer.enter(Head::Dictionary(plain_head(dictionary)))?;
                    }
                    Variant::Array(array) if array.is_plain() => {
                        let len = Some(array.len());
                        consumer.enter(Head::Array(ArrayHead { len, ..ArrayHead::default() }))?;
                    }
                    other => enter(other, consumer)?,
                }
                Ok(Some(children))
            }
            None => leaf.give(value, consumer).map(|()| None),
        }
    }

    /// [`Self::give`] for rare kinds. This function is not inlined.
    #[inline(never)]
    fn give_rare<C: Consumer>(
        value: &'v Variant,
        consumer: &mut C,
        leaf: &impl GiveLeaf<C>,
    ) -> Result<Option<Self>, C::Error> {
        Self::give(value, consumer, leaf)
    }
}

#[inline(never)]
fn enter<C: Consumer>(container: &Variant, consumer: &mut C) -> Result<(), C::Error> {
    head_of(container).map_or(Ok(()), |head| consumer.enter(head))
}

/// The head of a container; `None` for a leaf. O(1).
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn head_of(value: &Variant) -> Option<Head<'_>> {
    Some(match value {
        Variant::Dictionary(dictionary) => Head::Dictionary(dictionary_head(dictionary)),
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            Head::Array(array_head(value.kind(), array))
        }
        Variant::Object(object) => match &**object {
            Object::Full { class, properties } => Head::Object {
                class: class.as_bytes(),
                rule: Some(properties.rule()),
                len: Some(properties.as_slice().len()),
            },
            Object::Null | Object::Id(_) => return None,
        },
        _ => return None,
    })
}

#[cfg_attr(not(variant_small), inline(always))]
fn array_head(kind: Kind, array: &Array) -> ArrayHead<'_> {
    ArrayHead {
        kind,
        element_type: array.element_type().as_ref().map(Text::as_bytes),
        is_shared: array.is_shared(),
        len: Some(array.len()),
    }
}

#[cfg_attr(not(variant_small), inline(always))]
fn dictionary_head(dictionary: &Dictionary) -> DictionaryHead<'_> {
    let (key_type, value_type) = dictionary.types();
    DictionaryHead {
        key_type: key_type.as_ref().map(Text::as_bytes),
        value_type: value_type.as_ref().map(Text::as_bytes),
        is_shared: dictionary.is_shared(),
        rule: Some(dictionary.rule()),
        len: Some(dictionary.len()),
    }
}

/// The head of an untyped dictionary under Godot 4's rule.
#[cfg_attr(not(variant_small), inline(always))]
fn plain_head(dictionary: &Dictionary) -> DictionaryHead<'_> {
    DictionaryHead {
        rule: Some(KeyRule::GODOT_4),
        len: Some(dictionary.len()),
        ..DictionaryHead::default()
    }
}
