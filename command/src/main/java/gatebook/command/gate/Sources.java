package gatebook.command.gate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The sources of one moment, in the order in which they are asked. */
public final class Sources {

  private final List<Source> all;
  private final String hash;

  public Sources(List<Source> all) {
    this.all = List.copyOf(all);
    this.hash = "sha256:" + HexFormat.of().formatHex(sha256(text().getBytes(UTF_8)));
  }

  /** A digest of everything here that decisions rest on. */
  public String hash() {
    return hash;
  }

  /** The first source that answers for a name. */
  Optional<Source> answering(String name) {
    return all.stream().filter(source -> source.names().contains(name)).findFirst();
  }

  /** One line for each fact, in an order that does not depend on how it was written. */
  private String text() {
    StringBuilder text = new StringBuilder();
    for (Source source : all) {
      line(text, "source", source.id());
      line(text, "endpoint", source.endpoint());
      line(text, "timeout-millis", Long.toString(source.timeoutMillis()));
      new TreeSet<>(source.names()).forEach(name -> line(text, "name", name));
      line(text, "expose", source.expose().exposure().word());
      new TreeSet<>(source.expose().listed()).forEach(name -> line(text, "listed", name));
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String what, String value) {
    text.append(what).append(' ').append(value).append('\n');
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
