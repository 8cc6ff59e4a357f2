package gatebook.api.upstream;

import static gatebook.api.rpc.Quoted.quoted;

import gatebook.api.rpc.Members;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** What a request of the stateless revisions says of its sender. */
final class Stateless {

  private static final String META = "_meta";
  private static final String CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

  private static final String OURS =
      "%s:%s,%s:{}"
          .formatted(
              quoted(Revisions.VERSION_KEY),
              quoted(Revisions.STATELESS.getFirst()),
              quoted(CAPABILITIES_KEY));

  private Stateless() {}

  /** Params that say it; those that do already are left as they are. */
  static @Nullable String withMeta(@Nullable String params) {
    Members members = Members.of(params);
    Members meta = members.members(META);
    if ((params != null && !params.startsWith("{"))
        || meta.text(Revisions.VERSION_KEY).isPresent()) {
      return params;
    }
    StringJoiner all = new StringJoiner(",", "{", "}");
    members.forEach((name, value) -> {
      if (!name.equals(META)) {
        all.add(quoted(name) + ":" + value);
      }
    });
    StringJoiner own = new StringJoiner(",", "{", "}").add(OURS);
    meta.forEach((name, value) -> {
      if (!name.equals(CAPABILITIES_KEY)) {
        own.add(quoted(name) + ":" + value);
      }
    });
    return all.add(quoted(META) + ":" + own).toString();
  }

  /** What such a source says of itself, in the words of a handshake. */
  static String introduction(String discovered, String asked) {
    Members found = Members.of(discovered);
    StringJoiner all = new StringJoiner(",", "{", "}");
    all.add("\"protocolVersion\":" + quoted(agreed(asked)));
    all.add("\"capabilities\":" + found.json("capabilities").orElse("{}"));
    all.add(
        "\"serverInfo\":"
            + found
                .members(META)
                .json("io.modelcontextprotocol/serverInfo")
                .orElse("{\"name\":\"unnamed\",\"version\":\"0\"}"));
    found.json("instructions").ifPresent(words -> all.add("\"instructions\":" + words));
    return all.toString();
  }

  private static String agreed(String asked) {
    return Members.of(asked)
        .text("protocolVersion")
        .filter(Revisions.AGREED::contains)
        .orElse(Revisions.AGREED.getFirst());
  }
}
