//! What is said about a component: its own modifications, those of its constraint, redeclarations, and modifications of the class that
//! is its type.
//!
//! Redeclarations apply in order, those of classes that extend before those from outside. What a constraint says holds for whatever
//! replaces the component or class; without a constraint what was said about the replaced one stays. A redeclaration needs
//! `replaceable` where the type becomes another one, and never lets a component vary more.

use super::ids::{Checked, InstId, ScopeId};
use super::modification::{Binding, Mod, first_component};
use super::tree::{Inst, Instantiation, Meaning, Member};
use partita_grammar::ast::{self, ClassBody, TypeKind, Variability};
use std::rc::Rc;

/// Where a redeclaration is read, and what it declares.
pub(super) type Redeclared<'s> = (ScopeId, &'s ast::ComponentClause, &'s ast::Component);

impl<'s> Instantiation<'s> {
    /// What is hidden is not modified from outside of its class and those that extend it.
    pub(super) fn check_protected(&mut self, inst: InstId, name: &str) -> Checked<()> {
        let Inst { parent, is_package, .. } = self.insts[inst];
        let said = self.insts[inst].bases[0].1.child(name).cloned().filter(|_| parent.is_some() && !is_package);
        let is_own = |value: &Binding<'s>| value.steps.is_empty();
        match said {
            Some(said) if said.value.as_ref().is_some_and(is_own) || said.redeclaration.is_some() => {
                let scope = said.scope.unwrap_or(ScopeId(0));
                Err(self.fail("M005", format!("`{name}` is protected and cannot be modified"), said.span, scope))
            }
            _ => Ok(()),
        }
    }

    /// Merges what is said about a component, and applies redeclarations: one of a class that extends, one from outside.
    pub(super) fn say(
        &mut self,
        member: &mut Member<'s>,
        outer: &Rc<Mod<'s>>,
        scope: ScopeId,
        here: Option<Redeclared<'s>>,
    ) -> Checked<()> {
        let (clause, component) = (member.clause, member.component);
        let own = Mod::of(&component.modification, component.binding.as_ref(), scope);
        let own = Mod { final_: clause.prefixes.final_, ..own };
        // Most components of large models say nothing: they share one.
        let own = if own.is_empty() { self.unsaid.clone() } else { Rc::new(own) };
        let mut constraint = constraint_of(clause, scope);
        let mut said = match &constraint {
            Some(constraint) => Mod::merged(&own, constraint),
            None => own,
        };
        if let Some(here) = here {
            said = self.redeclare(member, here, scope, &mut constraint, &said)?;
        }
        if let Some(redeclaration) = outer.redeclaration {
            if clause.prefixes.outer && !clause.prefixes.inner {
                let text = format!("the outer component `{}` is redeclared", member.name);
                return Err(self.fail("M005", text, outer.span, redeclaration.scope));
            }
            let Some((new, of)) = first_component(redeclaration.element) else {
                return Err(self.fail("M003", format!("`{}` is a component, not a class", member.name), outer.span, redeclaration.scope));
            };
            said = self.redeclare(member, (redeclaration.scope, new, of), scope, &mut constraint, &said)?;
        }
        let outer = match outer.redeclaration {
            Some(_) => Rc::new(Mod { redeclaration: None, ..(**outer).clone() }),
            None => outer.clone(),
        };
        self.check_final(&outer, &said, member.name)?;
        member.said = Mod::merged(&outer, &said);
        Ok(())
    }

    /// What is said about a component after a redeclaration: what that says, and what the constraint does; without one, what was said.
    fn redeclare(
        &mut self,
        member: &mut Member<'s>,
        new: Redeclared<'s>,
        scope: ScopeId,
        constraint: &mut Option<Rc<Mod<'s>>>,
        before: &Rc<Mod<'s>>,
    ) -> Checked<Rc<Mod<'s>>> {
        let (new_scope, clause, component) = new;
        let (old_scope, old) = member.redeclared.map_or((scope, member.clause), |(scope, clause, _)| (scope, clause));
        self.check_redeclaration(member, old, old_scope, new)?;
        let kept = match &*constraint {
            Some(constraint) => constraint.clone(),
            None => Rc::new(Mod { final_: false, ..(**before).clone() }),
        };
        if let Some(own) = constraint_of(clause, new_scope) {
            *constraint = Some(own);
        }
        let said = Mod::of(&component.modification, component.binding.as_ref(), new_scope);
        let said = Rc::new(Mod { final_: clause.prefixes.final_, ..said });
        let said = constraint.as_ref().map_or(said.clone(), |constraint| Mod::merged(&said, constraint));
        member.redeclared = Some(new);
        Ok(Mod::merged(&said, &kept))
    }

    /// A new type needs `replaceable`; variability only becomes smaller.
    fn check_redeclaration(
        &mut self,
        member: &Member<'s>,
        old: &'s ast::ComponentClause,
        old_scope: ScopeId,
        new: Redeclared<'s>,
    ) -> Checked<()> {
        let (scope, clause, component) = new;
        let (was, is) = (old.prefixes.variability, clause.prefixes.variability);
        let name = member.name;
        if is != Variability::None && rank(is) < rank(was) {
            return Err(self.fail("M003", format!("the redeclaration of `{name}` lets it vary more than declared"), component.span, scope));
        }
        if old.prefixes.replaceable {
            return Ok(());
        }
        let types = [(old, old_scope), (clause, scope)].map(|(clause, scope)| match &clause.type_spec.kind {
            TypeKind::Named(name) => {
                let super::ids::Scope { inst, class } = self.contexts.scopes[scope];
                match self.class_by_name(name, Some(class), inst) {
                    Ok(Meaning::Class(class)) => Some((Some(self.classes.class_insts[class].class), None)),
                    Ok(Meaning::Builtin(builtin)) => Some((None, Some(builtin))),
                    _ => None,
                }
            }
            TypeKind::Enumeration(_) => None,
        });
        if let [Some(a), Some(b)] = types
            && a != b
        {
            let error = self.fail("M003", format!("`{name}` is not replaceable, so its type stays as it is"), component.span, scope);
            return Err(Box::new(error.with_hint(format!("declare `{name}` with `replaceable`"))));
        }
        Ok(())
    }

    /// What is said about a component, and below it what modifications of the instance say about the class that is its type: `m(T(x = 1))`.
    pub(super) fn with_class_said(&mut self, name: &ast::Name, inst: Option<InstId>, said: &Rc<Mod<'s>>) -> Checked<Rc<Mod<'s>>> {
        let (Some(inst), [part], false) = (inst, name.parts.as_slice(), name.global) else { return Ok(said.clone()) };
        let name: &str = &part.text;
        let owner = self.insts[inst]
            .bases
            .iter()
            .find(|(class, said)| said.child(name).is_some() && self.library.has_child(self.classes.class_insts[*class].class, name));
        let Some((owner, of_class)) = owner.and_then(|(class, said)| Some((*class, said.child(name)?.clone()))) else {
            return Ok(said.clone());
        };
        let mut of_type = Rc::new(Mod { redeclaration: None, ..(*of_class).clone() });
        if let Some(redeclaration) = of_class.redeclaration {
            if let ast::Element::Class(class) = redeclaration.element
                && let ClassBody::Short { modification, .. } = &class.body
            {
                of_type = Mod::merged(&of_type, &Rc::new(Mod::of(modification, None, redeclaration.scope)));
            }
            // What the constraint says holds for whatever replaces the class.
            if let Some(child) = self.library.child(self.classes.class_insts[owner].class, name)? {
                let scope = self.scope(Some(inst), Some(owner));
                let declared = self.library.syntax(child)?;
                let constraint: &'s [ast::Argument] = match (&declared.constraint, &declared.body) {
                    (Some(constraint), _) => &constraint.modification,
                    (None, ClassBody::Short { modification, .. }) => modification,
                    _ => &[],
                };
                of_type = Mod::merged(&of_type, &Rc::new(Mod::of(constraint, None, scope)));
            }
        }
        Ok(Mod::merged(said, &of_type))
    }
}

/// What the constraint of a replaceable component says.
fn constraint_of<'s>(clause: &'s ast::ComponentClause, scope: ScopeId) -> Option<Rc<Mod<'s>>> {
    let constraint = clause.constraint.as_deref()?;
    Some(Rc::new(Mod::of(&constraint.modification, None, scope)))
}

/// The later, the less it varies.
fn rank(variability: Variability) -> usize {
    match variability {
        Variability::None => 0,
        Variability::Discrete => 1,
        Variability::Parameter => 2,
        Variability::Constant => 3,
    }
}
