package gatebook.command.redact;

import com.google.common.collect.ImmutableSet;

/** The words that decide what is redacted. What they mean in a text is said by the detectors. */
enum WordList {
  /** Ends of names whose values are secret, if the words of a name are joined. */
  SECRET_NAME_ENDS(
      """
      password passwords passwd passphrase passcode pwd secret secrets token apikey apikeys
      accesskey accesskeyid secretkey privatekey signingkey encryptionkey accountkey sharedkey
      masterkey sshkey sessionid sessionkey credential credentials authorization cookie cookies
      jwt bearer signature connectionstring otp onetimecode verificationcode securitycode
      logincode mfacode twofactorcode authenticationcode authcode confirmationcode recoverycode
      backupcode cvv cvc
      """),

  /** Words that make a name secret wherever they are in it. */
  SECRET_NAME_WORDS(
      """
      password passwords passwd passphrase pwd secret secrets token apikey credential credentials
      jwt cookie
      """),

  /** Last words of names whose values are secret unless they are numbers. */
  POSSIBLE_NAME_WORDS("pass auth tokens sig pin xsrf csrf"),

  /** Last words of names for metadata about a secret. */
  METADATA_NAME_WORDS(
      """
      count counts type types limit limits length size max min name names expires expiry
      expiration expired in at after url uri endpoint ttl policy field required present usage
      budget format file path arn version age hint label rotation issuer enabled valid invalid
      status strength prompt reset kind ref
      """),

  /** Names of headers whose whole line is secret, if the words of a name are joined. */
  SECRET_LINE_HEADERS("authorization proxyauthorization cookie setcookie"),

  /** Ends of words that say that a text after them is a key. */
  KEY_WORD_ENDS(
      """
      key keys token tokens secret secrets password passwd credential credentials auth license
      licence hmac salt signature cookie session
      """),

  /** Words that may be between such a word and the key. */
  KEY_FILLERS(
      """
      is was of with value the your a invalid expired wrong unknown bad new old id x live test
      prod production
      """),

  /** Words for one-time codes. */
  CODE_WORDS("code codes passcode otp totp onetime-code authcode"),

  /** Words for one-time codes that need no purpose before them. */
  UNAMBIGUOUS_CODE_WORDS("otp totp passcode authcode"),

  /** Purposes of one-time codes. */
  CODE_PURPOSES(
      """
      one-time one time onetime verification verify security login log-in sign-in signin
      authentication authenticator authorization confirmation access 2fa mfa two-factor sms
      recovery backup activation pairing device
      """),

  /** Words that may be between the word for a one-time code and its digits. */
  CODE_FILLERS("is was are for of your the login to use now"),

  /** First names of absolute paths of files. */
  FILE_ROOTS(
      """
      Applications Library System Users Volumes app bin boot builds data dev etc home lib lib64
      mnt nix opt private proc root run sbin snap srv sys tmp usr var workspace workspaces
      """),

  /** First names of paths of files in which names may have blanks. */
  FILE_ROOTS_WITH_BLANKS("Applications Library Users Volumes home"),

  /** First names of JSON pointers in errors, and of HTTP paths of this program and others. */
  NON_FILE_ROOTS(
      """
      $defs _meta allOf anyOf arguments content definitions error id inputSchema items jsonrpc
      message messages method name oneOf outputSchema params prompts properties required resources
      result structuredContent tools mcp rpc flow a2a operator health ready metrics api v1 v2 v3
      .well-known
      """),

  /** Ends of names of variables that hold the start of a URL. */
  URL_VARIABLE_ENDS("URL URI HOST ORIGIN ENDPOINT"),

  /** Extensions of source files. */
  SOURCE_EXTENSIONS(
      """
      java kt kts scala groovy clj py pyx pyi js mjs cjs jsx ts tsx mts cts vue svelte go rs cs fs
      vb cshtml razor rb erb rake php c cc cpp cxx h hpp swift dart ex exs erl lua
      """),

  /** Ends of names of Python's exceptions. */
  EXCEPTION_ENDS("Error Exception Warning Interrupt Exit Iteration Timeout");

  private final ImmutableSet<String> words;

  WordList(String words) {
    this.words = ImmutableSet.copyOf(words.strip().split("\\s+"));
  }

  ImmutableSet<String> words() {
    return words;
  }

  boolean contains(String word) {
    return words.contains(word);
  }

  /** Whether a text ends in one of the words. A loop, since a stream costs more in each call. */
  boolean isEndOf(String text) {
    for (String word : words) {
      if (text.endsWith(word)) {
        return true;
      }
    }
    return false;
  }
}
