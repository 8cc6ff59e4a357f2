package gatebook.api.rpc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import gatebook.command.redact.Scrubber;
import gatebook.events.fault.Malformed.DuplicateKey;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import gatebook.events.fault.Malformed.TooDeep;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one JSON text, in order. It also checks what a JSON parser accepts: too much depth
 * ends the reading, and a duplicate key is remembered. Lone surrogates, which only escapes can
 * write, end the reading of messages; elsewhere they stay in copied slices, and are replaced in
 * decoded strings.
 */
final class JsonTokens {

  private static final JsonFactory JSON =
      JsonFactory.builder()
          // callers choose the names, which seldom repeat: a table of them would only grow
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          // size is limited before this, depth below; digits are copied, never computed with
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final RawText rawText;
  private final JsonParser parser;
  private final int depthMax;
  private final boolean strict;
  private final Deque<ObjectKeys> keys = new ArrayDeque<>(4);
  private int depth;
  private @Nullable DuplicateKey duplicate;

  JsonTokens(RawText rawText, int depthMax) {
    this(rawText, depthMax, false);
  }

  private JsonTokens(RawText rawText, int depthMax, boolean strict) {
    this.rawText = rawText;
    this.depthMax = depthMax;
    this.strict = strict;
    try {
      this.parser = JSON.createParser(rawText.chars(), 0, rawText.length());
    } catch (IOException e) {
      throw new UncheckedIOException("characters in memory cannot be read", e);
    }
  }

  /** The tokens of a message whose sender gets an error for a lone surrogate. */
  static JsonTokens strict(RawText rawText, int depthMax) {
    return new JsonTokens(rawText, depthMax, true);
  }

  /** The first duplicate key; absent when there was none yet. */
  @Nullable DuplicateKey duplicate() {
    return duplicate;
  }

  /** The token after this one; absent at the end of the text. */
  @Nullable JsonToken next() throws JsonSyntaxError {
    try {
      JsonToken token = parser.nextToken();
      if (token != null) {
        check(token);
      }
      return token;
    } catch (JsonProcessingException e) {
      throw new JsonSyntaxError(syntax(e));
    } catch (IOException e) {
      throw new UncheckedIOException("characters in memory cannot be read", e);
    }
  }

  /** The token of a value that must be there. */
  JsonToken nextValue() throws JsonSyntaxError {
    return Objects.requireNonNull(next(), "a key is followed by a value or by an error");
  }

  /** Checks that only white space follows. */
  void end() throws JsonSyntaxError {
    long offset = offset();
    try {
      if (parser.nextToken() == null) {
        return;
      }
    } catch (IOException _) {
      // any token here stands after the end, also one with a syntax error
    }
    throw new JsonSyntaxError(
        new ParseError(ParseDefect.TRAILING_BYTES, rawText.bytesBefore(offset)));
  }

  /** The current key or string, without its quotes and escapes. */
  String string() {
    try {
      return strict ? parser.getText() : Scrubber.wellFormed(parser.getText());
    } catch (IOException e) {
      throw new UncheckedIOException("a token that was read cannot be read again", e);
    }
  }

  /** The value that begins here, to its end, exactly as it was written. */
  String slice() throws JsonSyntaxError {
    long from = start();
    skip();
    return sliceFrom(from);
  }

  /** The offset at which the token begins. */
  long start() {
    return parser.currentTokenLocation().getCharOffset();
  }

  /** Whether the token has ended; a number may go on where no separator follows. */
  boolean isComplete() {
    return !parser.currentToken().isNumeric() || rawText.isSeparator(offset());
  }

  /** The text from an offset to the end of the token, exactly as it was written. */
  String sliceFrom(long from) {
    return rawText.slice(from, offset());
  }

  /** Skips to the end of the value that begins here. */
  void skip() throws JsonSyntaxError {
    int outside = depth - (opens() ? 1 : 0);
    while (depth > outside) {
      next();
    }
  }

  private boolean opens() {
    return parser.currentToken().isStructStart();
  }

  /** The offset at which the token ends. */
  long offset() {
    return parser.currentLocation().getCharOffset();
  }

  private void check(JsonToken token) throws JsonSyntaxError, IOException {
    switch (token) {
      case START_OBJECT -> {
        descend();
        keys.push(new ObjectKeys());
      }
      case END_OBJECT -> {
        depth--;
        keys.pop();
      }
      case START_ARRAY -> descend();
      case END_ARRAY -> depth--;
      case FIELD_NAME -> checkKey(parser.currentName());
      case VALUE_STRING -> {
        if (strict) {
          checkSurrogates(
              parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
        } else {
          parser.finishToken(); // its end is not known before
        }
      }
      default -> {
        // numbers and literals are valid once the parser has accepted them
      }
    }
  }

  private void descend() throws JsonSyntaxError {
    depth++;
    if (depth > depthMax) {
      throw new JsonSyntaxError(new TooDeep(depthMax));
    }
  }

  private void checkKey(String key) throws JsonSyntaxError {
    if (strict && !Scrubber.wellFormed(key).equals(key)) {
      throw loneSurrogate();
    }
    if (!keys.element().add(key) && duplicate == null) {
      duplicate = new DuplicateKey(tokenByteOffset());
    }
  }

  /** Decoded UTF-8 has no lone surrogates, but escapes may write them. */
  private void checkSurrogates(char[] chars, int from, int length) throws JsonSyntaxError {
    for (int i = from; i < from + length; i++) {
      if (Character.isSurrogate(chars[i])) {
        boolean pair = i + 1 < from + length && Character.isSurrogatePair(chars[i], chars[i + 1]);
        if (!pair) {
          throw loneSurrogate();
        }
        i++;
      }
    }
  }

  private JsonSyntaxError loneSurrogate() {
    return new JsonSyntaxError(new ParseError(ParseDefect.LONE_SURROGATE, tokenByteOffset()));
  }

  private long tokenByteOffset() {
    return rawText.bytesBefore(start());
  }

  private ParseError syntax(JsonProcessingException e) {
    long offset = e.getLocation() == null ? -1 : e.getLocation().getCharOffset();
    return new ParseError(ParseDefect.SYNTAX, offset < 0 ? null : rawText.bytesBefore(offset));
  }
}
