package gatebook.command.redact;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Which names of members, parameters and headers say that their value is a secret. */
final class SecretNames {

  /** How sure a name makes us. */
  enum Says {
    NOTHING,
    /** Only a text that is no number is a secret: results and counts are called so too. */
    PERHAPS,
    SECRET,
    /** The header: all of it to the end of its line. */
    SECRET_LINE
  }

  static final int LENGTH_MAX = 64;

  private static final Set<String> LINES =
      Set.of("authorization", "proxyauthorization", "cookie", "setcookie");

  private static final List<String> ENDINGS =
      List.of(
          "password",
          "passwords",
          "passwd",
          "passphrase",
          "passcode",
          "pwd",
          "secret",
          "secrets",
          "token",
          "apikey",
          "apikeys",
          "accesskey",
          "accesskeyid",
          "secretkey",
          "privatekey",
          "signingkey",
          "encryptionkey",
          "accountkey",
          "sharedkey",
          "masterkey",
          "sshkey",
          "sessionid",
          "sessionkey",
          "credential",
          "credentials",
          "authorization",
          "cookie",
          "cookies",
          "jwt",
          "bearer",
          "signature",
          "connectionstring",
          "otp",
          "onetimecode",
          "verificationcode",
          "securitycode",
          "logincode",
          "mfacode",
          "twofactorcode",
          "authenticationcode",
          "authcode",
          "confirmationcode",
          "recoverycode",
          "backupcode",
          "cvv",
          "cvc");

  private static final Set<String> WORDS =
      Set.of(
          "password",
          "passwords",
          "passwd",
          "passphrase",
          "pwd",
          "secret",
          "secrets",
          "token",
          "apikey",
          "credential",
          "credentials",
          "jwt",
          "cookie");

  private static final Set<String> PERHAPS =
      Set.of("pass", "auth", "tokens", "sig", "pin", "xsrf", "csrf");

  /** Behind a secret's name these say that something else about it follows. */
  private static final Set<String> ABOUT =
      Set.of(
          "count",
          "counts",
          "type",
          "types",
          "limit",
          "limits",
          "length",
          "size",
          "max",
          "min",
          "name",
          "names",
          "expires",
          "expiry",
          "expiration",
          "expired",
          "in",
          "at",
          "after",
          "url",
          "uri",
          "endpoint",
          "ttl",
          "policy",
          "field",
          "required",
          "present",
          "usage",
          "budget",
          "format",
          "file",
          "path",
          "arn",
          "version",
          "age",
          "hint",
          "label",
          "rotation",
          "issuer",
          "enabled",
          "valid",
          "invalid",
          "status",
          "strength",
          "prompt",
          "reset",
          "kind",
          "ref");

  private static final BitSet BEGINNINGS = beginnings();

  private final Set<String> configured = new HashSet<>();

  SecretNames(Collection<String> configured) {
    configured.forEach(name -> this.configured.add(name.toLowerCase(Locale.ROOT)));
  }

  /** Of a name without its markers: they stand for what cannot be known any more. */
  Says of(String name) {
    return RedactionMarker.isIn(name) ? ofPlain(RedactionMarker.removedFrom(name)) : ofPlain(name);
  }

  private Says ofPlain(String name) {
    if (!configured.isEmpty() && configured.contains(name.toLowerCase(Locale.ROOT))) {
      return Says.SECRET;
    }
    if (!mayBeSecret(name)) {
      return Says.NOTHING;
    }
    List<String> words = words(name);
    String joined = String.join("", words);
    if (words.isEmpty() || ABOUT.contains(words.getLast())) {
      return Says.NOTHING;
    }
    if (LINES.contains(joined)) {
      return Says.SECRET_LINE;
    }
    return endsAsSecret(joined) || words.stream().anyMatch(WORDS::contains)
        ? Says.SECRET
        : PERHAPS.contains(words.getLast()) ? Says.PERHAPS : Says.NOTHING;
  }

  /** A loop: names are looked at many times in each call, and a stream costs more than it does. */
  private static boolean endsAsSecret(String joined) {
    for (String ending : ENDINGS) {
      if (joined.endsWith(ending)) {
        return true;
      }
    }
    return false;
  }

  /** Most names hold no two letters that any secret's name begins with. */
  private static boolean mayBeSecret(String name) {
    for (int at = 1; at < name.length(); at++) {
      if (Character.isLetter(name.charAt(at)) && BEGINNINGS.get(pair(name, at - 1))) {
        return true;
      }
    }
    return false;
  }

  private static BitSet beginnings() {
    BitSet beginnings = new BitSet();
    Stream.of(ENDINGS, WORDS, PERHAPS, LINES)
        .flatMap(Collection::stream)
        .forEach(word -> beginnings.set(pair(word, 0)));
    return beginnings;
  }

  /** Two letters, large or small, as a number. */
  private static int pair(String text, int at) {
    return ((text.charAt(at) & 0x1f) << 5) | (text.charAt(at + 1) & 0x1f);
  }

  /** Small letters, divided at capitals and at whatever is no letter; the end of a long name. */
  private static List<String> words(String name) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char before = ' ';
    for (int at = Math.max(0, name.length() - LENGTH_MAX); at < name.length(); at++) {
      char c = name.charAt(at);
      boolean begins =
          CharClasses.is(c, CharClasses.UPPER) && !CharClasses.is(before, CharClasses.UPPER);
      if (begins || !Character.isLetter(c)) {
        finish(word, words);
      }
      if (Character.isLetter(c)) {
        word.append(Character.toLowerCase(c));
      }
      before = c;
    }
    finish(word, words);
    return words;
  }

  private static void finish(StringBuilder word, List<String> words) {
    if (!word.isEmpty()) {
      words.add(word.toString());
      word.setLength(0);
    }
  }
}
