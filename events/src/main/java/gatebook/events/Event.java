package gatebook.events;

/** An event: something that happened, stored once and never changed. */
public sealed interface Event
    permits CallEvent,
        TreeEvent,
        RulesActivated,
        RulesRejected,
        MessagesRefused,
        JournalOutage,
        OperatorActed,
        MismatchAccepted,
        WrappingKeyRotated {}
