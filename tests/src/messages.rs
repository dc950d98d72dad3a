//! Snapshots of the messages of a crate.

/// Checks a message and its hint: one line, without double spaces or an unclosed backtick. Returns
/// the line of the snapshot.
///
/// # Panics
/// If the message or the hint breaks these rules.
pub fn line(name: &str, message: &str, hint: &str) -> String {
    for text in [message, hint] {
        assert!(!text.contains("  ") && !text.contains('\n'), "{text}");
        assert_eq!(text.matches('`').count() % 2, 0, "{text}");
    }
    match hint {
        "" => format!("  {name}: {message}\n"),
        _ => format!("  {name}: {message}\n    hint: {hint}\n"),
    }
}

/// Generates a test for each area that compares the messages of its enums with a snapshot. An
/// unlisted variant does not compile. Each field gets an example value: types of the standard
/// library have one, `examples` provides the others.
#[macro_export]
macro_rules! message_snapshots {
    (@field $_field:tt) => {
        Example::example()
    };
    (@hint hints $message:expr) => {
        miette::Diagnostic::help($message)
            .map(|hint| hint.to_string())
            .unwrap_or_default()
    };
    (@hint $message:expr) => {
        String::new()
    };
    (@examples $($type:ty = $example:expr;)*) => {
        $(impl Example for $type {
            fn example() -> Self {
                $example
            }
        })*
    };
    (
        examples { $($type:ty = $example:expr;)* }
        $($area:ident [$($name:ident $($hints:ident)? {
            $($variant:ident $(($($field:tt)+))? $([$($key:ident)+])?)+
        })+])+
    ) => {
        /// A type of values in messages.
        trait Example {
            fn example() -> Self;
        }

        $crate::message_snapshots! { @examples
            String = "X".to_owned();
            &'static str = "X";
            u16 = 7;
            u32 = 7;
            u64 = 7;
            usize = 7;
            i32 = 7;
            i64 = -7;
            std::path::PathBuf = "/X".into();
            std::time::Duration = std::time::Duration::from_millis(1_500);
            $($type = $example;)*
        }

        impl<T: Example> Example for Vec<T> {
            fn example() -> Self {
                vec![T::example(), T::example()]
            }
        }

        /// An enum of messages.
        trait Messages: Sized {
            /// Returns an example of each variant, with its name.
            fn all() -> Vec<(&'static str, Self)>;

            /// Returns the texts of all variants.
            fn texts() -> String;
        }

        $($(impl Example for $name {
            fn example() -> Self {
                Self::all().swap_remove(0).1
            }
        }

        impl Messages for $name {
            fn all() -> Vec<(&'static str, Self)> {
                vec![$((
                    stringify!($variant),
                    Self::$variant
                        $(($($crate::message_snapshots!(@field $field)),+))?
                        $({ $($key: $crate::message_snapshots!(@field $key)),+ })?,
                )),+]
            }

            fn texts() -> String {
                let mut texts = concat!(stringify!($name), "\n").to_owned();
                for (variant, message) in Self::all() {
                    match &message {
                        $(Self::$variant { .. } => {})+
                    }
                    let hint: String = $crate::message_snapshots!(@hint $($hints)? &message);
                    texts += &$crate::messages::line(variant, &message.to_string(), &hint);
                }
                texts
            }
        })+)+

        $(#[test]
        fn $area() {
            let texts: String = [$(<$name as Messages>::texts()),+].concat();
            $crate::insta::assert_snapshot!(stringify!($area), texts);
        })+
    };
}
