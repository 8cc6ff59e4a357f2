package gatebook.api.http;

/**
 * The header of requests whose credential a browser adds by itself: a page of another origin cannot
 * send it, because its browser asks first whether it may, and is refused.
 */
public final class ConsoleHeader {
  public static final String NAME = "X-Gatebook-Console";
  public static final String VALUE = "1";

  private ConsoleHeader() {}
}
