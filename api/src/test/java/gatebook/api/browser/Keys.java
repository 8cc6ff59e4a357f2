package gatebook.api.browser;

/** The keys that no character stands for, as WebDriver numbers them. */
public final class Keys {
  public static final String TAB = "\uE004";
  public static final String ENTER = "\uE007";
  public static final String ESCAPE = "\uE00C";
  public static final String END = "\uE010";

  private Keys() {}
}
