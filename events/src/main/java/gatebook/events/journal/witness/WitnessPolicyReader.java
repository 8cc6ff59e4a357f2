package gatebook.events.journal.witness;

import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.witness.WitnessPolicy.KnownWitness;
import gatebook.events.journal.witness.WitnessPolicy.Quorum;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the text of a policy, and goes on after a mistake to find the others. */
public final class WitnessPolicyReader {
  /** The most logs, the most witnesses and the most groups of a policy. */
  static final int EACH_MAX = 64;

  private static final String NONE = "none";

  private final String text;
  private final List<Mistake> mistakes = new ArrayList<>();
  private final List<VerifierKey> logs = new ArrayList<>();
  private final List<KnownWitness> witnesses = new ArrayList<>();
  private final Map<String, Quorum> named = new LinkedHashMap<>();
  private final Set<String> members = new HashSet<>();
  private int groups;
  private int line;
  private @Nullable Quorum quorum;
  private boolean hasQuorum;

  private WitnessPolicyReader(String text) {
    this.text = text;
  }

  /** The result of reading. */
  public sealed interface Reading {
    record Valid(WitnessPolicy policy) implements Reading {}

    record Broken(List<Mistake> mistakes) implements Reading {
      public Broken {
        mistakes = List.copyOf(mistakes);
      }
    }
  }

  /**
   * A mistake in a policy.
   *
   * @param line counted from 1; 0 where it is about the whole
   */
  public record Mistake(int line, String sentence) {}

  public static Reading read(String text) {
    return new WitnessPolicyReader(text).read();
  }

  private Reading read() {
    for (String each : text.split("\n", -1)) {
      line++;
      if (each.chars().anyMatch(it -> it != '\t' && (it < ' ' || it == 0x7f))) {
        mistake("has a control character");
      } else {
        List<String> words = words(each);
        if (!words.isEmpty() && !words.getFirst().startsWith("#")) {
          readLine(words);
        }
      }
    }
    line = 0;
    if (!hasQuorum) {
      mistake("needs a line 'quorum NAME', or 'quorum none'");
    }
    if (witnesses.isEmpty() && mistakes.isEmpty()) {
      mistake("names no witness: write witness NAME VERIFIER-KEY URL");
    }
    return quorum == null || !mistakes.isEmpty()
        ? new Reading.Broken(mistakes)
        : new Reading.Valid(new WitnessPolicy(text, logs, witnesses, quorum));
  }

  static List<String> words(String line) {
    return Arrays.stream(line.split("[ \t]+", -1)).filter(it -> !it.isEmpty()).toList();
  }

  private void mistake(String sentence) {
    mistakes.add(new Mistake(line, sentence));
  }

  private void readLine(List<String> words) {
    List<String> rest = words.subList(1, words.size());
    switch (words.getFirst()) {
      case "log" -> readLog(rest);
      case "witness" -> readWitness(rest);
      case "group" -> readGroup(rest);
      case "quorum" -> readQuorum(rest);
      default -> mistake("begins with none of log, witness, group and quorum");
    }
  }

  private void readLog(List<String> words) {
    if (words.isEmpty() || words.size() > 2) {
      mistake("must be log VERIFIER-KEY, and a URL if any");
      return;
    }
    switch (VerifierKey.parse(words.getFirst())) {
      case LoadedKey.Refused<VerifierKey>(String why) -> mistake("has no key of a log: " + why);
      case LoadedKey.Key<VerifierKey>(VerifierKey key) -> {
        if (logs.stream().anyMatch(key::isSameKey)) {
          mistake("has the key of a log before it");
        }
        logs.add(key);
        requireFew(logs.size(), "logs");
      }
    }
  }

  private void readWitness(List<String> words) {
    if (words.size() != 3) {
      mistake("must be witness NAME VERIFIER-KEY URL");
      return;
    }
    Optional<URI> url = url(words.get(2));
    switch (VerifierKey.parseOfWitness(words.get(1))) {
      case LoadedKey.Refused<VerifierKey>(String why) -> {
        mistake("has no key of a witness: " + why);
        name(words.getFirst(), new Quorum.None()); // what refers to it is no mistake
      }
      case LoadedKey.Key<VerifierKey>(VerifierKey key) -> {
        if (witnesses.stream().anyMatch(it -> it.key().isSameKey(key))) {
          mistake("has the key of a witness before it");
        }
        name(words.getFirst(), new Quorum.One(key));
        url.ifPresent(it -> witnesses.add(new KnownWitness(words.getFirst(), key, it)));
        requireFew(witnesses.size(), "witnesses");
      }
    }
  }

  private Optional<URI> url(String word) {
    try {
      URI url = new URI(word);
      boolean isHttp =
          "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
      boolean isPrefix =
          url.getHost() != null
              && url.getRawUserInfo() == null
              && url.getRawQuery() == null
              && url.getRawFragment() == null
              && url.getPort() != 0
              && url.getPort() <= 65_535;
      if (isHttp && isPrefix) {
        return Optional.of(url);
      }
    } catch (URISyntaxException _) {
      // told below
    }
    mistake(
        "must have a URL that begins with https:// or http:// and has a host, and neither a user"
            + " nor a '?' or '#'");
    return Optional.empty();
  }

  private void readGroup(List<String> words) {
    if (words.size() < 3) {
      mistake("must be group NAME, then all, any or a number, then its members");
      return;
    }
    List<String> names = words.subList(2, words.size());
    List<Quorum> parts = new ArrayList<>();
    for (String name : names) {
      Quorum part = named.get(name);
      if (part == null) {
        mistake("has a member '%s', which no line before it names".formatted(name));
      } else if (!members.add(name)) {
        mistake("has a member '%s', which is one of a group already".formatted(name));
      } else {
        parts.add(part);
      }
    }
    int least = least(words.get(1), names.size());
    if (least < 1 || least > names.size()) {
      mistake("must need all, any, or a number from 1 to that of its members");
    }
    name(words.getFirst(), new Quorum.Group(least, parts));
    groups++;
    requireFew(groups, "groups");
  }

  private static int least(String word, int size) {
    return switch (word) {
      case "all" -> size;
      case "any" -> 1;
      default -> word.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(word) : 0;
    };
  }

  private void name(String name, Quorum part) {
    if (name.equals(NONE)) {
      mistake("has the name 'none', which means nobody");
    } else if (named.putIfAbsent(name, part) != null) {
      mistake("has the name '%s' of a line before it".formatted(name));
    }
  }

  private void readQuorum(List<String> words) {
    if (hasQuorum) {
      mistake("is a second quorum: keep one");
    }
    hasQuorum = true;
    if (words.size() != 1) {
      mistake("must be quorum NAME, or quorum none");
      return;
    }
    quorum = words.getFirst().equals(NONE) ? new Quorum.None() : named.get(words.getFirst());
    if (quorum == null) {
      mistake("needs '%s', which no line before it names".formatted(words.getFirst()));
    }
  }

  private void requireFew(int count, String what) {
    if (count == EACH_MAX + 1) {
      mistake("is too much: a policy has at most %d %s".formatted(EACH_MAX, what));
    }
  }
}
