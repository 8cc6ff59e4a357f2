package gatebook.api.dialect;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The supported A2A versions; a patch number makes no difference. */
public enum A2aVersion {
  V0_3("0.3"),
  V1_0("1.0");

  private static final Pattern DECLARED = Pattern.compile("(\\d+\\.\\d+)(?:\\.\\d+)?");

  private final String text;

  A2aVersion(String text) {
    this.text = text;
  }

  /** The version that a caller declared; empty when it is not supported. */
  public static Optional<A2aVersion> supported(String declared) {
    Matcher version = DECLARED.matcher(declared);
    return version.matches()
        ? List.of(values()).stream().filter(v -> v.text.equals(version.group(1))).findFirst()
        : Optional.empty();
  }

  /** All supported versions, as callers declare them. */
  public static List<String> texts() {
    return List.of(values()).stream().map(version -> version.text).toList();
  }

  /** The version of the response: for an unsupported declaration the newest. */
  static A2aVersion of(String declared) {
    return supported(declared).orElse(V1_0);
  }
}
