package gatebook.api.browser;

import java.util.Locale;

/** A colour scheme that a person prefers. */
public enum ColourScheme {
  LIGHT,
  DARK;

  /** The value of {@code prefers-color-scheme}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
