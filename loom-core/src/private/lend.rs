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
// The implementations stay out of messages: the note above says in the user's words which there are.
pub trait Lend<'a> {
    /// What is read.
    type Owned;

    /// Borrows from it.
    fn lend(owned: &'a Self::Owned) -> Self;
}

#[diagnostic::do_not_recommend]
impl<'a, T: Lent + ?Sized> Lend<'a> for &'a T
where
    T::Owned: 'a,
{
    type Owned = T::Owned;

    fn lend(owned: &'a T::Owned) -> Self {
        owned.borrow()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Lent + ?Sized> Lend<'a> for Option<&'a T>
where
    T::Owned: 'a,
{
    type Owned = Option<T::Owned>;

    fn lend(owned: &'a Option<T::Owned>) -> Self {
        owned.as_ref().map(Borrow::borrow)
    }
}

/// Lends an owned argument as the function's parameter wants it.
///
/// A method, so that nothing is asked of a value whose type is in error already; the underscores keep it apart from
/// the methods of user types.
pub trait Lender: Sized {
    /// Borrows from it.
    fn __lend<'a, P: Lend<'a, Owned = Self>>(&'a self) -> P {
        P::lend(self)
    }
}

impl<T> Lender for T {}
