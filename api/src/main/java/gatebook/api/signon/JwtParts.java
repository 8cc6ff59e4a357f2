package gatebook.api.signon;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.command.rules.Claims;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a JSON Web Token in its compact form, of which nothing is verified.
 *
 * @param signedText what the signature is of
 */
record JwtParts(
    Map<String, @Nullable Object> header, Claims claims, String signedText, String signature) {

  private static final int DEPTH_MAX = 32;

  /** Two dots or more, as JSON in base64url begins: an encrypted token has this shape, too. */
  private static final Pattern SHAPE = Pattern.compile("e[wy][\\w-]*+\\.[\\w-]*+\\.[\\w.-]*+");

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** Whether a token looks like one that an issuer signed; it may be of any length. */
  static boolean isShapeOf(String token) {
    return SHAPE.matcher(token).matches();
  }

  /** Empty unless it has three parts, and two of them are JSON without a repeated name. */
  static Optional<JwtParts> of(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new JwtParts(
              object(parts[0]), new Claims(object(parts[1])), parts[0] + "." + parts[1], parts[2]));
    } catch (IOException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Map<String, @Nullable Object> object(String part) throws IOException {
    Map<String, @Nullable Object> object =
        JSON.readValue(Base64.getUrlDecoder().decode(part), new TypeReference<>() {});
    if (object == null) {
      throw new IOException("null is no object");
    }
    return object;
  }

  byte[] signedBytes() {
    return signedText.getBytes(US_ASCII);
  }
}
