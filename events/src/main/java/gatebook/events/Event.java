package gatebook.events;

/** An event: something that happened, stored once and never changed. */
public sealed interface Event
    permits CallEvent,
        BackupEvent,
        CheckpointKeyRotated,
        CosignatureRefused,
        DiskLevelChanged,
        TreeEvent,
        ErasureEvent,
        EventsDropped,
        RulesActivated,
        RulesObserved,
        RulesRejected,
        MessagesRefused,
        JournalOutage,
        OperatorActed,
        MismatchAccepted,
        OriginBegun,
        RollbackFound,
        WrappingKeyRotated {}
