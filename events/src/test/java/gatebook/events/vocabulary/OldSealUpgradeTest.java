package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.Named;
import gatebook.events.ResultKept;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.KeyFingerprint;
import gatebook.events.keys.OldKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.axonframework.messaging.core.MessageType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the one seal key sealed, before there were content keys. */
final class OldSealUpgradeTest {
  private static final byte[] KEY = key(7);
  private static final String TEXT = "{\"text\": \"größer 🙂\"}";
  private static final UUID TREE_TASK = TreeTaskTag.id(TreeSamples.OWNER, TreeSamples.ITEM);

  @ParameterizedTest
  @CsvSource({
    "CallReceived,,original",
    "ResultKept,,text",
    "TreeTaskCreated,content,definition",
    "TreeTaskUpdated,content,definition",
    "TreeTaskCompleted,,result",
    "TreeExecutionStarted,webhook,config"
  })
  void sealedTextIsReadWithItsKeyOnly(String name, @Nullable String parent, String member)
      throws IOException, GeneralSecurityException {
    byte[] json = old(name, parent, member, sealed(KEY, boundTo(name)));

    assertThat(text(read(new OldKeys(KEY, null), name, json))).isEqualTo(TEXT);
    assertThat(text(read(OldKeys.NONE, name, json))).isNull();
    assertThat(text(read(new OldKeys(key(8), null), name, json))).isNull();
    assertThat(text(read(new OldKeys(null, KEY), name, json))).isNull();

    byte[] ofAnother = old(name, parent, member, sealed(KEY, Samples.APPROVAL));
    assertThat(text(read(new OldKeys(KEY, null), name, ofAnother))).isNull();
    byte[] tooShort = old(name, parent, member, new byte[3]);
    assertThat(text(read(new OldKeys(KEY, null), name, tooShort))).isNull();
  }

  private static Event read(OldKeys oldKeys, String name, byte[] json) {
    return new EventVocabulary(ContentKeys.NONE, oldKeys)
        .read(new MessageType(Named.NAMESPACE, name, "1"), json);
  }

  private static @Nullable String text(Event event) {
    return switch (event) {
      case CallReceived received -> received.original();
      case ResultKept kept -> kept.text();
      case TreeTaskCreated created -> created.content().definition();
      case TreeTaskUpdated updated -> updated.content().definition();
      case TreeTaskCompleted completed -> completed.result();
      case TreeExecutionStarted started -> Objects.requireNonNull(started.webhook()).config();
      default -> throw new AssertionError(event);
    };
  }

  private static UUID boundTo(String name) {
    return switch (name) {
      case "CallReceived", "ResultKept" -> Samples.CALL;
      case "TreeExecutionStarted" -> TreeSamples.EXECUTION;
      default -> TREE_TASK;
    };
  }

  /** The golden file of version 1 with this sealed content. */
  private static byte[] old(String name, @Nullable String parent, String member, byte[] content)
      throws IOException {
    byte[] golden = Samples.utf8(Golden.text("events/" + name + ".1.json"));
    ObjectNode json = EventJson.mapper().readValue(golden, ObjectNode.class);
    ObjectNode owner = parent == null ? json : json.withObjectProperty(parent);
    if (name.equals("TreeExecutionStarted")) {
      owner.put("url", "https://hooks.example.com");
    }
    owner.putObject(member).put("key", KeyFingerprint.of(KEY)).put("content", content);
    return EventJson.mapper().writeValueAsBytes(json);
  }

  private static byte[] sealed(byte[] key, UUID boundTo) throws GeneralSecurityException {
    byte[] nonce = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    byte[] fingerprint = KeyFingerprint.of(key).getBytes(UTF_8);
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
    cipher.updateAAD(
        ByteBuffer.allocate(2 * Long.BYTES + fingerprint.length)
            .putLong(boundTo.getMostSignificantBits())
            .putLong(boundTo.getLeastSignificantBits())
            .put(fingerprint)
            .array());
    byte[] ciphertext = cipher.doFinal(TEXT.getBytes(UTF_8));
    return ByteBuffer.allocate(nonce.length + ciphertext.length).put(nonce).put(ciphertext).array();
  }

  private static byte[] key(int fill) {
    byte[] key = new byte[ContentKey.BYTES];
    Arrays.fill(key, (byte) fill);
    return key;
  }
}
