package gatebook.api.node.sharing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gatebook.api.data.OwnerAddress;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * How a member and the owner make sure of each other: each shows that it knows the secret, which
 * stands where only their user can read it, and neither says it. The owner shows it first, because
 * a member believes what it is told was recorded.
 */
final class MutualAuth {

  static final int MILLIS_MAX = 2_000;

  private static final int NONCE_BYTES = 32;
  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] secret;
  private final DataInputStream in;
  private final DataOutputStream out;

  MutualAuth(OwnerAddress place, DataInputStream in, DataOutputStream out) {
    this.secret = place.secret().toArray();
    this.in = in;
    this.out = out;
  }

  /** As a member; says whether this is the owner. */
  boolean withOwner(MemberProcess self) throws IOException {
    byte[] mine = nonce();
    out.writeInt(WireFormat.VERSION);
    out.write(mine);
    out.flush();
    if (in.readInt() != WireFormat.VERSION) {
      return false;
    }
    byte[] theirs = in.readNBytes(NONCE_BYTES);
    boolean isOwner =
        MessageDigest.isEqual(proof("owner", mine, theirs), in.readNBytes(NONCE_BYTES));
    if (isOwner) {
      out.write(proof("member", mine, theirs));
      WireFormat.text(out, self.node());
      out.writeLong(self.pid());
      out.writeBoolean(self.records());
      out.flush();
    }
    return isOwner;
  }

  /** As the owner; who it is, or null when it is nobody. */
  @Nullable MemberProcess withMember() throws IOException {
    if (in.readInt() != WireFormat.VERSION) {
      return null;
    }
    byte[] theirs = in.readNBytes(NONCE_BYTES);
    byte[] mine = nonce();
    out.writeInt(WireFormat.VERSION);
    out.write(mine);
    out.write(proof("owner", theirs, mine));
    out.flush();
    return MessageDigest.isEqual(proof("member", theirs, mine), in.readNBytes(NONCE_BYTES))
        ? MemberProcess.of(WireFormat.text(in), in.readLong(), in.readBoolean())
        : null;
  }

  private byte[] proof(String who, byte[] members, byte[] owners) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update(who.getBytes(US_ASCII));
      mac.update(members);
      return mac.doFinal(owners);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  private static byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }
}
