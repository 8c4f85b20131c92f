/**
 * The most common leaked passwords of eight characters and more, in lower case. An attacker who guesses within the rate
 * limit tries these first.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `00000000 01234567 012345678 0123456789 0987654321 101010101 11111111 111111111 1111111111 11112222 11223344 1122334455
  112233445566 12121212 123123123 123123123123 12312312 123321123 12341234 123412345 1234554321 12345678 123456781 123456789
  1234567890 12345678900 12345678910 123456789a 1234567891 123456789q 12345678a 12345679 1234567a 123456aa 123456ab
  123456abc 12345qwert 1234qwer 12qwaszx 147258369 147852369 159357456 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx
  1qaz2wsx3edc 1qazxsw2 20202020 222222222 22222222 33333333 44444444 55555555 66666666 77777777 741852963 7777777777
  789456123 87654321 88888888 888888888 963852741 987654321 9876543210 98765432 99999999 999999999 a1234567 a12345678
  a123456789 aa123456 aa12345678 aaaaaaaa abc12345 abc123456 abcd1234 abcd12345 abcdefgh abcdefghi abcdef123 access14
  admin123 admin1234 admin12345 administrator alexander asdasdasd asdf1234 asdfasdf asdfghjk asdfghjkl asdf12345 babygirl
  barcelona baseball basketball batman123 changeme changeme1 changeme123 charlie1 chelsea1 chocolate computer consumer
  corvette danielle default1 dragon123 dearbook december elephant football football1 freedom1 fuckyou1 fuckyou123
  garfield ginger123 guest123 hello123 hello1234 helloworld iloveyou iloveyou1 iloveyou2 iloveyou123 internet jennifer
  jessica1 jordan23 letmein1 letmein123 letmein! liverpool liverpool1 login123 lovely123 loveme123 maverick mercedes
  michael1 michelle midnight minecraft monkey12 monkey123 motherfucker mustang1 mypassword newpassword nicholas nothing1
  november october1 p@ssw0rd p@ssword p@ssw0rd1 pa$$word pa$$w0rd pass1234 pass12345 passport passw0rd passw0rd1 password
  password! password00 password01 password1 password1! password11 password12 password123 password1234 password12345
  password123! password2 password21 password3 password9 password99 patchbay patchbay1 patchbay123 pokemon1 pokemon123
  portugal princess princess1 princess123 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qazwsx123 qazwsxedc qazwsxedcrfv qq123456
  qq123456789 qwer1234 qwerasdf qwerqwer qwert123 qwert12345 qwerty11 qwerty12 qwerty123 qwerty1234 qwerty12345
  qwerty123456 qwerty78 qwertyui qwertyuiop qwertzui qwertzuiop qweasdzxc qweqweqwe root1234 rootroot samantha samsung1
  scorpion secret12 secret123 security september slipknot snowball spiderman spiderman1 starwars startrek steelers
  strawberry summer123 sunshine sunshine1 superman superman1 superman123 superstar sweetheart swordfish test1234
  test12345 testtest testing1 testing123 tinkerbell trustno1 undertaker victoria volleyball w1234567 welcome1 welcome12
  welcome123 welcome1234 welcome! whatever william1 winter123 woaini1314 wordpass xxxxxxxx yankees1 zaq12wsx zaq1zaq1
  zxcvbnm1 zxcvbnm12 zxcvbnm123 zxcvbnmm zxcvbnm, zzzzzzzz`.split(/\s+/),
);
