//! [`rules`]: the rules of findings as an enum, from a table of names, severities and meanings.

macro_rules! rules {
    ($($rule:ident: $severity:ident, $id:literal, $help:literal;)*) => {
        /// A rule. Names and severities are stable: programs filter by them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Rule {
            $($rule,)*
        }

        impl Rule {
            pub(crate) const ALL: &[Self] = &[$(Self::$rule,)*];

            /// The name in all outputs.
            pub(crate) const fn id(self) -> &'static str {
                match self {
                    $(Self::$rule => $id,)*
                }
            }

            pub(crate) const fn severity(self) -> SeverityArg {
                match self {
                    $(Self::$rule => $severity,)*
                }
            }

            /// What a finding means, in one sentence.
            pub(crate) const fn help(self) -> &'static str {
                match self {
                    $(Self::$rule => $help,)*
                }
            }
        }
    };
}

pub(crate) use rules;
