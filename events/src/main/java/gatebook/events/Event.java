package gatebook.events;

/** Something that happened, told once and never changed. */
public sealed interface Event
    permits CallEvent,
        RulesActivated,
        RulesRejected,
        MessagesRefused,
        JournalOutage,
        OperatorActed,
        MismatchAccepted {}
