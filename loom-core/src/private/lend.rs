//! Borrowed parameters: which owned type is read, and how it is lent to the function.

use std::borrow::Borrow;
use std::path::{Path, PathBuf};

/// What a reference may point to, and what is read in its place.
pub trait Lent {
    /// The owned form.
    type Owned: Borrow<Self>;
}

impl<T> Lent for T {
    type Owned = T;
}

impl Lent for str {
    type Owned = String;
}

impl<T> Lent for [T]
where
    Vec<T>: Borrow<[T]>,
{
    type Owned = Vec<T>;
}

impl Lent for Path {
    type Owned = PathBuf;
}

/// A borrowed parameter type.
#[diagnostic::on_unimplemented(
    message = "a tool cannot lend an argument as `{Self}`",
    label = "write the owned type here",
    note = "`&T`, `&str`, `&[T]`, `&Path` and `Option` of them are lent; anything else is taken by value"
)]
pub trait Lend<'a> {
    /// What is read.
    type Owned;

    /// Borrows from it.
    fn lend(owned: &'a Self::Owned) -> Self;
}

impl<'a, T: Lent + ?Sized> Lend<'a> for &'a T
where
    T::Owned: 'a,
{
    type Owned = T::Owned;

    fn lend(owned: &'a T::Owned) -> Self {
        owned.borrow()
    }
}

impl<'a, T: Lent + ?Sized> Lend<'a> for Option<&'a T>
where
    T::Owned: 'a,
{
    type Owned = Option<T::Owned>;

    fn lend(owned: &'a Option<T::Owned>) -> Self {
        owned.as_ref().map(Borrow::borrow)
    }
}

/// The owned form of a borrowed parameter type.
pub type Owned<P> = <P as Lend<'static>>::Owned;

/// Lends an owned argument as the function's parameter wants it.
pub fn lend<'a, P: Lend<'a>>(owned: &'a P::Owned) -> P {
    P::lend(owned)
}
