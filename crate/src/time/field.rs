//! Whole catalogue fields: several dates of one object, put together by the collection's policy.

use super::calendar::Year;
use super::expression::{Candidate, Expression, Kind, Precision, Role};
use super::interval::Interval;
use super::settings::Settings;

/// A catalogue field read as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// When the object was made, by the collection's policy.
    pub dating: Expression,
    /// Every date in the field with its role, in the order of the text.
    pub parts: Vec<Expression>,
}

impl Field {
    /// Whether every part took part in the dating, so that the dating says all.
    pub(crate) fn single(&self) -> bool {
        self.parts.iter().all(|part| part.role == self.dating.role)
    }
}

/// Puts the dates of a field together; `None` when there are none.
pub(crate) fn combine(text: &str, parts: Vec<Expression>, settings: &Settings) -> Option<Field> {
    let dated: Vec<&Expression> = parts.iter().filter(|p| !p.candidates.is_empty()).collect();
    if dated.is_empty() {
        let dating = parts.first()?.clone();
        return Some(Field { dating, parts });
    }
    let has_created = dated.iter().any(|p| p.role == Role::Created);
    let first_role = dated.first()?.role;
    let listed = |role: Role| {
        settings.field.as_ref().is_some_and(|policy| {
            let roles = if has_created {
                &policy.with_creation
            } else {
                &policy.without_creation
            };
            roles.contains(&role)
        })
    };
    let belongs = |part: &Expression| {
        let vague = part.kind == Kind::Open || part.candidates.iter().any(|c| c.uncertain);
        part.role == Role::Created
            || (!has_created && part.role == first_role)
            || (listed(part.role) && !(has_created && vague))
    };
    let mut members: Vec<&Expression> = dated.iter().filter(|p| belongs(p)).copied().collect();
    // A period gives the frame of a closer date and is not a date beside it.
    let closer: Vec<&Expression> = members
        .iter()
        .filter(|p| p.precision() != Precision::Period)
        .copied()
        .collect();
    if !closer.is_empty() {
        members = closer;
    }
    let first = members.first()?;
    let mut dating = if members.len() == 1 {
        (*first).clone()
    } else {
        let mut candidates: Vec<Candidate> = Vec::new();
        for member in &members {
            for candidate in &member.candidates {
                if !candidates.iter().any(|c| c.interval == candidate.interval) {
                    candidates.push(candidate.clone());
                }
            }
        }
        let start = members.iter().map(|m| m.range.start).min()?;
        let end = members.iter().map(|m| m.range.end).max()?;
        let all_one = members.iter().all(|m| m.kind == Kind::OneOf);
        Expression {
            range: start..end,
            utf16: start..end,
            kind: if candidates.len() == 1 {
                Expression::kind_of(&candidates)
            } else if all_one {
                Kind::OneOf
            } else {
                Kind::AllOf
            },
            candidates,
            role: first.role,
            arc: None,
        }
    };
    if let Some(year) = settings.field.as_ref().and_then(|p| p.posthumous_until)
        && text.to_ascii_lowercase().contains("posthumous")
        && let Some(last) = dating.candidates.last_mut()
        && let Some(longer) = last
            .interval
            .first
            .day()
            .and_then(|first| Interval::new(first, Year(year).last_day()))
    {
        last.interval = longer;
        last.core = longer;
    }
    Some(Field { dating, parts })
}
