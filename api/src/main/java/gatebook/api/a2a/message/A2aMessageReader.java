package gatebook.api.a2a.message;

import static java.util.stream.Collectors.joining;

import gatebook.api.a2a.message.A2aMessage.Content;
import gatebook.api.a2a.message.A2aMessage.Part;
import gatebook.api.a2a.message.A2aMessage.Role;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.RequestMember;
import gatebook.events.call.JsonValue;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Reads a message of a client in the shapes of one version. */
final class A2aMessageReader {
  private static final Content NONE = new Content.Text("");

  private final A2aVersion version;
  private final A2aParams declared;

  A2aMessageReader(A2aVersion version, A2aParams declared) {
    this.version = version;
    this.declared = declared;
  }

  /** Reads a message; what is read is of use only if nothing was found. */
  A2aMessage read(CheckedMembers message) {
    return new A2aMessage(
        message.text(A2aParams.MESSAGE_ID).orElse(""),
        message.word(declared.role, declared.roles).orElse(Role.USER),
        message.objects(declared.parts).stream().map(this::part).toList(),
        message.text(A2aParams.CONTEXT_ID).orElse(null),
        message.text(A2aParams.TASK_ID).orElse(null),
        message.texts(A2aParams.REFERENCES),
        message.texts(A2aParams.EXTENSIONS),
        message.inner(A2aParams.MESSAGE_METADATA).text(A2aParams.SKILL_ID).orElse(null),
        message.json(A2aParams.MESSAGE_METADATA).orElse(null));
  }

  private Part part(CheckedMembers part) {
    return switch (version) {
      case V0_3 -> partOfV03(part);
      case V1_0 -> partOfV1(part);
    };
  }

  private static Part partOfV03(CheckedMembers part) {
    CheckedMembers file = part.inner(A2aParams.FILE_V03);
    return new Part(
        contentOfV03(part, file),
        file.text(A2aParams.NAME_V03).orElse(null),
        file.text(A2aParams.MIME_TYPE_V03).orElse(null),
        part.json(A2aParams.METADATA).orElse(null));
  }

  /** A part without a kind is of the kind of its first member. */
  private static Content contentOfV03(CheckedMembers part, CheckedMembers file) {
    RequestMember member =
        Stream.of(A2aParams.DATA_V03, A2aParams.FILE_V03, A2aParams.TEXT)
            .filter(it ->
                part.has(A2aParams.KIND_V03)
                    ? part.text(A2aParams.KIND_V03).filter(it.name()::equals).isPresent()
                    : part.has(it))
            .findFirst()
            .orElse(A2aParams.KIND_V03);
    part.require(member);
    return switch (member.name()) {
      case "text" -> new Content.Text(part.text(member).orElse(""));
      case "data" -> new Content.Data(part.json(member).orElse("{}"));
      case "file" -> file(part, file);
      default -> NONE;
    };
  }

  private static Content file(CheckedMembers part, CheckedMembers file) {
    boolean hasBytes = file.has(A2aParams.BYTES_V03);
    if (part.json(A2aParams.FILE_V03).isPresent() && hasBytes == file.has(A2aParams.URI_V03)) {
      part.add(A2aParams.FILE_V03, CheckedMembers.WRONG_VALUE, "either bytes or uri");
    }
    return hasBytes
        ? new Content.Raw(file.text(A2aParams.BYTES_V03).orElse(""))
        : new Content.Url(file.text(A2aParams.URI_V03).orElse(""));
  }

  /** The members of a part of which exactly one must be there; data may be null. */
  private static Part partOfV1(CheckedMembers part) {
    Set<String> sent = part.members().json("data").isPresent() ? Set.of("data") : Set.of();
    List<RequestMember> there =
        Stream.of(A2aParams.TEXT, A2aParams.RAW, A2aParams.URL, A2aParams.DATA)
            .filter(it -> part.has(it) || sent.contains(it.name()))
            .toList();
    if (there.size() != 1) {
      part.add(
          "content",
          there.isEmpty() ? CheckedMembers.MISSING : CheckedMembers.WRONG_VALUE,
          "exactly one of text, raw, url, data",
          there.isEmpty()
              ? RequestMember.NOTHING
              : JsonValue.parse(JsonStrings.quoted(names(there))));
    }
    return new Part(
        there.size() == 1 ? contentOfV1(part, there.getFirst()) : NONE,
        part.text(A2aParams.FILENAME).orElse(null),
        part.text(A2aParams.MEDIA_TYPE).orElse(null),
        part.json(A2aParams.METADATA).orElse(null));
  }

  private static String names(List<RequestMember> members) {
    return members.stream().map(RequestMember::name).collect(joining(", "));
  }

  private static Content contentOfV1(CheckedMembers part, RequestMember member) {
    return switch (member.name()) {
      case "text" -> new Content.Text(part.text(member).orElse(""));
      case "raw" -> new Content.Raw(part.text(member).orElse(""));
      case "url" -> new Content.Url(part.text(member).orElse(""));
      default -> new Content.Data(part.json(member).orElse("null"));
    };
  }
}
