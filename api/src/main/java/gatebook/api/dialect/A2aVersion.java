package gatebook.api.dialect;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The supported A2A versions; a patch number makes no difference. */
public enum A2aVersion {
  V0_3("0.3", "v0.3"),
  V1_0("1.0", "v1");

  private static final Pattern DECLARED = Pattern.compile("(\\d+\\.\\d+)(?:\\.\\d+)?");

  private final String text;
  private final String segment;

  A2aVersion(String text, String segment) {
    this.text = text;
    this.segment = segment;
  }

  /** The version that a caller declared; empty when it is not supported. */
  public static Optional<A2aVersion> supported(String declared) {
    Matcher version = DECLARED.matcher(declared);
    return version.matches()
        ? Stream.of(values()).filter(it -> it.text.equals(version.group(1))).findFirst()
        : Optional.empty();
  }

  /** The version that is spoken at paths with this last segment; empty when there is none. */
  static Optional<A2aVersion> at(String segment) {
    return Stream.of(values()).filter(it -> it.segment.equals(segment)).findFirst();
  }

  /** All supported versions, as callers declare them. */
  static List<String> texts() {
    return Stream.of(values()).map(A2aVersion::text).toList();
  }

  /** As callers declare it. */
  public String text() {
    return text;
  }

  /** The header that names the extensions which a message uses. */
  public String extensionsHeader() {
    return switch (this) {
      case V0_3 -> "X-A2A-Extensions";
      case V1_0 -> "A2A-Extensions";
    };
  }

  /** The last segment of the paths at which it is spoken. */
  public String segment() {
    return segment;
  }
}
