package gatebook.api.daemon;

import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.redact.Scrubber;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks that the params of a method are an object without unknown members. */
final class ParamCheck {

  /** How much of an unknown name is quoted back. */
  private static final int NAME_CHARS_MAX = 64;

  private ParamCheck() {}

  /** The first problem; empty when the params are absent or have known members only. */
  static Optional<Problem> problem(
      @Nullable String params, ObjectMembers members, List<String> known) {
    if (params != null && !params.startsWith("{")) {
      return Optional.of(
          new Problem("params", null, "an object", JsonType.quotedOf(params), List.of()));
    }
    Map<String, String> unknown = new LinkedHashMap<>();
    members.forEach(unknown::put);
    unknown.keySet().removeAll(known);
    return unknown.entrySet().stream()
        .findFirst()
        .map(it ->
            new Problem(
                shortened(it.getKey()),
                null,
                known.isEmpty() ? "no params" : "no other than " + String.join(", ", known),
                JsonType.quotedOf(it.getValue()),
                List.of()));
  }

  /** Scrubbed before it is cut: half a secret would not be recognised as one. */
  private static String shortened(String name) {
    return TextPrefix.of(Scrubber.NAMES.scrub(name), NAME_CHARS_MAX);
  }
}
