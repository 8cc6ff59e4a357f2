package gatebook.events;

/** The last event of a call: nothing is sent to its caller afterwards. */
public sealed interface CallEnd extends CallEvent
    permits CallAnswered, ErrorTranslated, MessageRefused, CallAbandoned, CallOrphaned {}
