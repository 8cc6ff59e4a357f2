package gatebook.api.dialect;

import gatebook.events.fault.Unsupported.VersionNotSupported;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A profile of A2A: a path of one version, or one at which the caller may declare a version. It is
 * recorded as the version of the dialect: {@code v1} is a path of version 1.0, {@code v1-0.3} the
 * same with another declared version, {@code 1.0} a version that was declared where there is a
 * choice; absent when none was declared there.
 *
 * @param segment of the path that names the version; absent at a path without one
 * @param declared by the caller; absent when it declared none, or that of the path
 */
public record A2aProfile(@Nullable String segment, @Nullable String declared) {

  /** What is declared in a way that no version is written. */
  private static final String INVALID = "unknown";

  private static final String WHEN_EMPTY = "0.3";
  private static final Pattern VERSION = Pattern.compile("[0-9]{1,6}(\\.[0-9]{1,6}){1,2}");
  private static final Pattern SEGMENT = Pattern.compile("v[0-9]{1,6}(\\.[0-9]{1,6}){0,2}");
  private static final char SEPARATOR = '-';

  /**
   * The profile of a request.
   *
   * @param segment of its path; absent where that names no version
   * @param header the version that it declares; absent when it declares none
   */
  public static A2aProfile of(@Nullable String segment, @Nullable String header) {
    String declared = header == null ? null : declared(header.strip());
    return new A2aProfile(
        segment, segment == null || isOther(declared, A2aVersion.at(segment)) ? declared : null);
  }

  private static boolean isOther(@Nullable String declared, Optional<A2aVersion> ofPath) {
    return declared != null && ofPath.isPresent() && !A2aVersion.supported(declared).equals(ofPath);
  }

  /** A client that declares a version uses the versioned protocol, also with an invalid version. */
  private static String declared(String header) {
    if (header.isEmpty()) {
      return WHEN_EMPTY;
    }
    return VERSION.matcher(header).matches() ? header : INVALID;
  }

  /** Whether a segment of a path names a version, supported or not. */
  public static boolean namesVersion(String segment) {
    return SEGMENT.matcher(segment).matches();
  }

  /** The profile with which a call is recorded. */
  public static A2aProfile recorded(@Nullable String version) {
    if (version == null || !version.startsWith("v")) {
      return new A2aProfile(null, version);
    }
    int separator = version.indexOf(SEPARATOR);
    return separator < 0
        ? new A2aProfile(version, null)
        : new A2aProfile(version.substring(0, separator), version.substring(separator + 1));
  }

  /** The dialect version that a call is recorded with. */
  public @Nullable String version() {
    if (segment == null) {
      return declared;
    }
    return declared == null ? segment : segment + SEPARATOR + declared;
  }

  /** The version of errors; empty when none was declared, and the path leaves it open. */
  public Optional<A2aVersion> spoken() {
    if (segment != null) {
      return Optional.of(A2aVersion.at(segment).orElse(A2aVersion.V1_0));
    }
    return Optional.ofNullable(declared)
        .map(text -> A2aVersion.supported(text).orElse(A2aVersion.V1_0));
  }

  /** The supported version that the caller declared, or else that of the path. */
  public Optional<A2aVersion> preferred() {
    return Optional.ofNullable(declared)
        .flatMap(A2aVersion::supported)
        .or(() -> Optional.ofNullable(segment).flatMap(A2aVersion::at));
  }

  /** Whether methods of a version are known here: those of all, unless the path has a version. */
  public boolean includes(A2aVersion version) {
    return segment == null || A2aVersion.at(segment).filter(version::equals).isPresent();
  }

  /** Why no call is served in this profile; empty when its version is supported. */
  public Optional<VersionNotSupported> refusal() {
    if (segment != null) {
      return A2aVersion.at(segment)
          .map(own ->
              Optional.ofNullable(declared)
                  .map(other -> new VersionNotSupported(other, List.of(own.text()))))
          .orElseGet(
              () -> Optional.of(new VersionNotSupported(segment.substring(1), A2aVersion.texts())));
    }
    return Optional.ofNullable(declared)
        .filter(text -> A2aVersion.supported(text).isEmpty())
        .map(text -> new VersionNotSupported(text, A2aVersion.texts()));
  }
}
