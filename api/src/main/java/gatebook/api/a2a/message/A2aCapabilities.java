package gatebook.api.a2a.message;

/** The capabilities of the agents here; cards declare exactly these. */
public final class A2aCapabilities {
  /** Whether responses may be streams. */
  public static final boolean STREAMING = true;

  /** Whether addresses are notified about tasks. */
  static final boolean PUSH_NOTIFICATIONS = false;

  /** Whether there is a card that only known callers get. */
  public static final boolean EXTENDED_CARD = false;

  private A2aCapabilities() {}

  /** The member of cards. */
  public static String json(boolean hasStreams) {
    return """
    {"streaming":%b,"pushNotifications":%b,"extendedAgentCard":%b}\
    """
        .formatted(hasStreams, PUSH_NOTIFICATIONS, EXTENDED_CARD);
  }
}
