package gatebook.events;

/** The last that happened to a call: nobody is told anything else about it. */
public sealed interface CallEnd extends CallEvent
    permits CallAnswered, ErrorTranslated, MessageRefused, CallAbandoned, CallOrphaned {}
