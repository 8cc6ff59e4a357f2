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
 * Mutual authentication of a member and the owner: each proves by an HMAC over both nonces that it
 * knows the secret, which only their user can read; the secret is never sent. The owner proves it
 * first, because a member trusts its answers about what was recorded.
 */
final class MutualAuth {

  static final int MILLIS_MAX = 2_000;

  private static final int NONCE_BYTES = 32;
  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] secret;
  private final DataInputStream in;
  private final DataOutputStream out;

  MutualAuth(OwnerAddress address, DataInputStream in, DataOutputStream out) {
    this.secret = address.secret().toArray();
    this.in = in;
    this.out = out;
  }

  /** The member's side; returns whether the peer is the owner. */
  boolean authenticateOwner(MemberProcess self) throws IOException {
    byte[] ownNonce = nonce();
    out.writeInt(WireFormat.VERSION);
    out.write(ownNonce);
    out.flush();
    if (in.readInt() != WireFormat.VERSION) {
      return false;
    }
    byte[] peerNonce = in.readNBytes(NONCE_BYTES);
    boolean isOwner =
        MessageDigest.isEqual(proof("owner", ownNonce, peerNonce), in.readNBytes(NONCE_BYTES));
    if (isOwner) {
      out.write(proof("member", ownNonce, peerNonce));
      WireFormat.text(out, self.node());
      out.writeLong(self.pid());
      out.writeBoolean(self.records());
      out.flush();
    }
    return isOwner;
  }

  /** The owner's side; returns the member, or null when the peer does not know the secret. */
  @Nullable MemberProcess authenticateMember() throws IOException {
    if (in.readInt() != WireFormat.VERSION) {
      return null;
    }
    byte[] peerNonce = in.readNBytes(NONCE_BYTES);
    byte[] ownNonce = nonce();
    out.writeInt(WireFormat.VERSION);
    out.write(ownNonce);
    out.write(proof("owner", peerNonce, ownNonce));
    out.flush();
    return MessageDigest.isEqual(proof("member", peerNonce, ownNonce), in.readNBytes(NONCE_BYTES))
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
