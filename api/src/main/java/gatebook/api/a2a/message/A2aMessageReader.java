package gatebook.api.a2a.message;

import gatebook.api.a2a.message.A2aMessage.Content;
import gatebook.api.a2a.message.A2aMessage.Part;
import gatebook.api.a2a.message.A2aMessage.Role;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.rpc.CheckedMembers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a message of a client in the shapes of one version. */
final class A2aMessageReader {
  static final String SKILL_ID = "skillId";

  private static final int SKILL_CHARS_MAX = 1_024;
  private static final int URL_CHARS_MAX = 8_192;
  private static final int NAME_CHARS_MAX = 1_024;
  private static final String KIND = "kind";
  private static final String TEXT = "text";
  private static final String DATA = "data";
  private static final String FILE = "file";
  private static final String METADATA = "metadata";
  private static final String PARTS = "parts";
  private static final Map<String, Role> ROLES_V03 = Map.of("user", Role.USER, "agent", Role.AGENT);
  private static final Map<String, Role> ROLES_V1 =
      Map.of("ROLE_USER", Role.USER, "ROLE_AGENT", Role.AGENT);
  private static final Map<String, String> KINDS = Map.of(TEXT, TEXT, DATA, DATA, FILE, FILE);

  /** Standard or for URLs, with or without padding. */
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/_-]*+={0,2}");

  private static final Content NONE = new Content.Text("");

  private A2aMessageReader() {}

  /** Reads a message; what is read is of use only if nothing was found. */
  static A2aMessage read(A2aMembers message) {
    if (message.version() == A2aVersion.V0_3) {
      message.word(KIND, Map.of("message", KIND));
    }
    String metadata = message.object(METADATA);
    return new A2aMessage(
        message.requiredId("messageId"),
        role(message),
        parts(message),
        message.optionalId("contextId"),
        message.optionalId("taskId"),
        message.texts("referenceTaskIds"),
        message.texts("extensions"),
        metadata == null ? null : skillId(message.inner(METADATA).checked()),
        metadata);
  }

  /** Metadata are free: their members are named as their sender says, and in no other way. */
  private static @Nullable String skillId(CheckedMembers metadata) {
    return metadata.text(SKILL_ID, 0, SKILL_CHARS_MAX).filter(id -> !id.isEmpty()).orElse(null);
  }

  /** Stands for a message that is not there, or is no object. */
  static A2aMessage none() {
    return new A2aMessage("", Role.USER, List.of(), null, null, List.of(), List.of(), null, null);
  }

  private static Role role(A2aMembers message) {
    Map<String, Role> roles =
        switch (message.version()) {
          case V0_3 -> ROLES_V03;
          case V1_0 -> ROLES_V1;
        };
    message.checked().require("role", "string");
    return message.word("role", roles).orElse(Role.USER);
  }

  private static List<Part> parts(A2aMembers message) {
    if (!message.has(PARTS)) {
      message.checked().require(PARTS, "array");
      return List.of();
    }
    List<A2aMembers> parts = message.objects(PARTS);
    if (message.checked().json(PARTS).filter("[]"::equals).isPresent()) {
      message.checked().add(PARTS, CheckedMembers.OUT_OF_RANGE, "at least one part", null);
    }
    return parts.stream()
        .map(part ->
            switch (part.version()) {
              case V0_3 -> partOfV03(part);
              case V1_0 -> partOfV1(part);
            })
        .toList();
  }

  private static Part partOfV03(A2aMembers part) {
    Optional<String> kind =
        part.has(KIND)
            ? part.word(KIND, KINDS)
            : KINDS.keySet().stream().filter(part::has).findFirst();
    if (kind.isEmpty() && !part.has(KIND)) {
      part.checked().require(KIND, "one of data, file, text");
    }
    A2aMembers file = part.inner(FILE);
    return new Part(
        kind.map(word ->
                switch (word) {
                  case TEXT -> text(part);
                  case DATA -> data(part);
                  default -> file(part, file);
                })
            .orElse(NONE),
        file.text("name", NAME_CHARS_MAX).orElse(null),
        file.text("mimeType", NAME_CHARS_MAX).orElse(null),
        part.object(METADATA));
  }

  private static Content text(A2aMembers part) {
    part.checked().require(TEXT, "string");
    return new Content.Text(part.checked().anyText(TEXT).orElse(""));
  }

  private static Content data(A2aMembers part) {
    part.checked().require(DATA, "object");
    return new Content.Data(Optional.ofNullable(part.object(DATA)).orElse("{}"));
  }

  private static Content file(A2aMembers part, A2aMembers file) {
    part.checked().require(FILE, "object");
    if (file.has("bytes") == file.has("uri")) {
      if (part.checked().json(FILE).filter(json -> json.startsWith("{")).isPresent()) {
        part.checked().add(FILE, CheckedMembers.WRONG_VALUE, "either bytes or uri", null);
      }
      return NONE;
    }
    return file.has("bytes")
        ? raw(file, "bytes")
        : new Content.Url(file.required("uri", URL_CHARS_MAX));
  }

  /** The members of a part of which exactly one must be there; data may be null. */
  private static Part partOfV1(A2aMembers part) {
    List<String> there =
        Stream.of(TEXT, "raw", "url", DATA)
            .filter(name -> part.has(name) || (name.equals(DATA) && hasData(part)))
            .toList();
    if (there.size() != 1) {
      part.checked()
          .add(
              "content",
              there.isEmpty() ? CheckedMembers.MISSING : CheckedMembers.WRONG_VALUE,
              "exactly one of text, raw, url, data",
              null);
    }
    return new Part(
        there.size() == 1 ? contentOfV1(part, there.getFirst()) : NONE,
        part.text("filename", NAME_CHARS_MAX).orElse(null),
        part.text("mediaType", NAME_CHARS_MAX).orElse(null),
        part.object(METADATA));
  }

  private static boolean hasData(A2aMembers part) {
    return part.checked().members().json(DATA).isPresent();
  }

  private static Content contentOfV1(A2aMembers part, String name) {
    return switch (name) {
      case TEXT -> text(part);
      case "raw" -> raw(part, "raw");
      case "url" -> new Content.Url(part.required("url", URL_CHARS_MAX));
      default -> new Content.Data(part.checked().members().json(DATA).orElse("null"));
    };
  }

  private static Content raw(A2aMembers members, String name) {
    Optional<String> base64 = members.checked().anyText(name);
    if (base64.filter(text -> !BASE64.matcher(text).matches()).isPresent()) {
      members.checked().add(name, CheckedMembers.WRONG_VALUE, "Base64", null);
    }
    return new Content.Raw(base64.orElse(""));
  }
}
