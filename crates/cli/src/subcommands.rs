//! The subcommands of a command.

/// Declares `Args`, a command that only has subcommands, `Command`, which of them was given, and `run`, which does it.
///
/// `Name => module` is a command with a module of its own, which has `Args` and `run`. After a semicolon come those that are small
/// enough to be done here: options and what to do.
macro_rules! subcommands {
    ($(#[$about:meta])* pub struct Args; $($rest:tt)+) => {
        #[derive(Debug, clap::Args)]
        $(#[$about])*
        pub struct Args {
            #[command(subcommand)]
            command: Command,
        }

        $crate::subcommands! { $($rest)+ }
    };
    (
        $($name:ident => $module:ident),+ $(,)?
        $(;$(
            $(#[$about:meta])*
            $small:ident $({ $($(#[$option:meta])* $field:ident: $kind:ty),+ $(,)? })? => $done:expr
        ),+ $(,)?)?
    ) => {
        #[derive(Debug, clap::Subcommand)]
        enum Command {
            $($name($module::Args),)+
            $($($(#[$about])* $small $({ $($(#[$option])* $field: $kind),+ })?,)+)?
        }

        pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
            match &args.command {
                $(Command::$name(args) => $module::run(args),)+
                $($(Command::$small $({ $($field),+ })? => $done,)+)?
            }
        }
    };
}

pub(crate) use subcommands;
