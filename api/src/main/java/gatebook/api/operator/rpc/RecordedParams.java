package gatebook.api.operator.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RequestMember;
import gatebook.api.rpc.RequestMember.Recording;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.keep.ContentDigests;
import gatebook.events.call.JsonValue;
import gatebook.events.keys.ContentOwner;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the recorded form of the params of a request: texts that may have secrets are replaced by
 * their size and a keyed digest, and content of callers is left out.
 */
public final class RecordedParams {
  private final ContentDigests contentDigests;
  private final InstantSource clock;

  public RecordedParams(ContentDigests contentDigests, InstantSource clock) {
    this.contentDigests = contentDigests;
    this.clock = clock;
  }

  /**
   * The recorded form of params that may be wrong. Params of a method that takes a secret text, or
   * content of callers, are recorded unchanged only where they are known to be something else.
   */
  public @Nullable JsonValue of(OperatorMethod method, RpcMessage.Request request) {
    String sent = request.params();
    if (sent == null) {
      return null;
    }
    if (!hasAny(method, Recording.DIGEST) && !hasAny(method, Recording.NOTHING)) {
      return JsonValue.parse(sent);
    }
    if (sent.startsWith("{") && method.params().unknown(request.members(), "").isEmpty()) {
      return withoutSecrets(method, request.members());
    }
    return hasAny(method, Recording.NOTHING) ? null : digested(sent);
  }

  private static boolean hasAny(OperatorMethod method, Recording recording) {
    return method.params().members().stream().anyMatch(it -> it.recording() == recording);
  }

  private JsonValue withoutSecrets(OperatorMethod method, ObjectMembers sent) {
    Map<String, JsonValue> recorded = new LinkedHashMap<>();
    sent.forEach((name, json) ->
        method.params().members().stream()
            .filter(member -> member.name().equals(name))
            .filter(member -> member.recording() != Recording.NOTHING)
            .forEach(member -> recorded.put(name, recorded(member, json))));
    return JsonValue.written(generator -> {
      generator.writeStartObject();
      for (Map.Entry<String, JsonValue> param : recorded.entrySet()) {
        generator.writeFieldName(param.getKey());
        generator.writeRawValue(param.getValue().toString());
      }
      generator.writeEndObject();
    });
  }

  private JsonValue recorded(RequestMember member, String json) {
    return member.recording() == Recording.VALUE && member.type().accepts(json)
        ? JsonValue.parse(json)
        : digested(JsonStrings.text(json).orElse(json));
  }

  /** The digest has a label, which keeps it from being masked as a random text. */
  private JsonValue digested(String text) {
    ContentOwner owner = ContentOwner.at(null, clock.instant());
    byte[] digest = contentDigests.digest(owner, text.getBytes(UTF_8)).hmac().toArray();
    String hmac = HexFormat.of().formatHex(digest);
    return JsonValue.written(generator -> {
      generator.writeStartObject();
      generator.writeNumberField("sizeBytes", text.getBytes(UTF_8).length);
      generator.writeStringField("hmac", "sha256:" + hmac);
      generator.writeEndObject();
    });
  }
}
