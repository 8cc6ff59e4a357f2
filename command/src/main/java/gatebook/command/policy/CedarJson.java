package gatebook.command.policy;

import com.cedarpolicy.value.CedarList;
import com.cedarpolicy.value.CedarMap;
import com.cedarpolicy.value.PrimBool;
import com.cedarpolicy.value.PrimLong;
import com.cedarpolicy.value.PrimString;
import com.cedarpolicy.value.Value;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * JSON as policies see it. Null is an empty record, an array a set, an integral number a long
 * however it is written, and an integer that fits 64 bits only without a sign is a string. What
 * policies could not be asked about truthfully is refused.
 */
final class CedarJson {

  /** How deep objects and arrays may nest, the outermost counted. */
  static final int DEPTH_MAX = 64;

  /** Members by which the engine's own JSON names entities and extension values. */
  private static final Set<String> ESCAPES = Set.of("__entity", "__extn", "__expr");

  private static final BigInteger UNSIGNED_MAX =
      BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);
  private static final int LONG_DIGITS_MAX = 19;
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** Arguments that policies cannot be asked about; the message says why, and quotes no value. */
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1;

    Unusable(String message) {
      super(message, null, false, false);
    }
  }

  private final JsonParser parser;
  private int depth;

  private CedarJson(JsonParser parser) {
    this.parser = parser;
  }

  /** The record that this text of a JSON object is; an empty one where there is none. */
  static CedarMap record(@Nullable String text) throws Unusable {
    if (text == null) {
      return new CedarMap();
    }
    try (JsonParser parser = JSON.createParser(text)) {
      return new CedarJson(parser).whole();
    } catch (IOException | ArithmeticException | NumberFormatException e) {
      throw new Unusable("the arguments are no JSON that can be read");
    }
  }

  private CedarMap whole() throws IOException, Unusable {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new Unusable("the arguments are no JSON object");
    }
    CedarMap record = object();
    if (parser.nextToken() != null) {
      throw new Unusable("something follows the arguments");
    }
    return record;
  }

  private Value value(JsonToken token) throws IOException, Unusable {
    return switch (token) {
      case START_OBJECT -> object();
      case START_ARRAY -> array();
      case VALUE_STRING -> new PrimString(wellFormed(parser.getText()));
      case VALUE_NUMBER_INT -> integer(parser.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT -> integral(parser.getDecimalValue());
      case VALUE_TRUE -> new PrimBool(true);
      case VALUE_FALSE -> new PrimBool(false);
      case VALUE_NULL -> new CedarMap();
      case FIELD_NAME, END_OBJECT, END_ARRAY, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new Unusable("the arguments are no JSON that can be read");
    };
  }

  private CedarMap object() throws IOException, Unusable {
    enter();
    CedarMap record = new CedarMap();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      if (ESCAPES.contains(name)) {
        throw new Unusable(
            "a member is named %s, which the policy engine reserves".formatted(name));
      }
      record.put(wellFormed(name), value(parser.nextToken()));
    }
    depth--;
    return record;
  }

  private CedarList array() throws IOException, Unusable {
    enter();
    CedarList set = new CedarList();
    for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
      set.add(value(t));
    }
    depth--;
    return set;
  }

  private void enter() throws Unusable {
    if (++depth > DEPTH_MAX) {
      throw new Unusable("the arguments nest deeper than %d".formatted(DEPTH_MAX));
    }
  }

  private static Value integer(BigInteger number) throws Unusable {
    if (number.bitLength() < Long.SIZE) {
      return new PrimLong(number.longValue());
    }
    if (number.signum() > 0 && number.compareTo(UNSIGNED_MAX) <= 0) {
      return new PrimString(number.toString());
    }
    throw new Unusable("a number has more than 64 bits");
  }

  /** Looks at the exponent first: a billion digits may hide behind it. */
  private static Value integral(BigDecimal number) throws Unusable {
    BigDecimal shortest = number.stripTrailingZeros();
    if (shortest.scale() > 0) {
      throw new Unusable("a number has a fraction");
    }
    long digits = (long) shortest.precision() - shortest.scale();
    if (digits <= LONG_DIGITS_MAX) {
      BigInteger whole = shortest.toBigIntegerExact();
      if (whole.bitLength() < Long.SIZE) {
        return new PrimLong(whole.longValue());
      }
    }
    throw new Unusable("a number written with a point or an exponent has more than 64 bits");
  }

  /** Half a surrogate pair would reach the engine as another text than was sent. */
  static String wellFormed(String text) throws Unusable {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (!Character.isSurrogatePair(c, i + 1 < text.length() ? text.charAt(i + 1) : 0)) {
          throw new Unusable("a text is no Unicode");
        }
        i++;
      }
    }
    return text;
  }
}
