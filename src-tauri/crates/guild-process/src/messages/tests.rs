//! A snapshot test of all messages and hints. `INSTA_UPDATE=always cargo test -p guild-process
//! messages` updates the snapshot.

use std::collections::BTreeMap;
use std::io;

use super::*;
use crate::error::ProcessError;
use crate::port::PortRangeUsage;
use crate::short_command::NoAnswer;

guild_tests::message_snapshots! {
    examples {
        io::Error = io::Error::other("X");
        PortRangeUsage = PortRangeUsage::of(&(1..=9), &BTreeMap::new(), &[7]);
    }
    process_messages [
        NotRunnable { Folder Irregular NotMarked Hidden }
        VariableFault { NoName BadName Zero }
        AfterRefusal { Shorten CloseOthers MakeRoom RaiseLimit(_) TryByHand }
        ProcessError hints { CommandNotFound[program looked] CommandNotExecutable[program path reason]
            NoWorkingDirectory(_) BadVariable[name reason] InterpreterMissing(_)
            SpawnFailed[program source] PortsExhausted(_) PortProbe(_) }
        NoAnswer { NotStarted(_) TimeLimit(_) TooLong(_) Unreadable(_) }
    ]
}
