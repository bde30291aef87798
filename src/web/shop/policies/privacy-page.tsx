import { useContext } from 'react';
import { Link } from 'react-router';
import { CompanyContext } from '#web/state/store.ts';
import { PolicyFrame } from './policy-frame.tsx';

const SECTIONS = [
  ['what', 'What we hold'],
  ['why', 'Why we hold it'],
  ['browser', 'In your browser'],
  ['others', 'Who else sees it'],
  ['long', 'How long'],
  ['rights', 'Your rights'],
] as const;

export function Component() {
  const { shop, unpaidDays } = useContext(CompanyContext);
  return (
    <PolicyFrame
      title="Privacy policy"
      description={`What ${shop} knows about you, why, for how long, and what you can ask of us.`}
      canonical="/privacy"
      sections={SECTIONS}
    >
      <h2 id="what">What we hold</h2>
      <p>
        Your name and email address when you open an account; your delivery address and telephone number when you order; what you ordered
        and when; the reviews, pictures and votes that you add, which are shown with your first name and an initial; and your email address
        if you ask us to tell you when a piece is back in stock. We keep passwords only as a one-way hash, which nobody can read. Card
        numbers never reach us: you enter them on our payment provider’s own page.
      </p>
      <h2 id="why">Why we hold it</h2>
      <ul>
        <li>To take, deliver and refund your orders (our contract with you).</li>
        <li>To keep the records that tax law asks of us (a legal obligation).</li>
        <li>
          To protect accounts against guessed passwords, we count login attempts by network address for a short time (our legitimate
          interest).
        </li>
        <li>
          To keep goods from being held by orders that are never paid, we remember the network from which an unpaid order came. We forget it
          within a day of the order’s being paid, delivered or cancelled (our legitimate interest).
        </li>
      </ul>
      <p>
        We email you about your orders and your account, once to ask what you think of a piece, and when a piece is back that you asked
        about. Every email of the last two kinds has a link that ends them. There is no advertising profile.
      </p>
      <h2 id="browser">In your browser</h2>
      <p>
        Your cart, your login, the pieces you compare, the pieces you viewed recently, your last searches and the measurements of your space
        are kept in your browser’s local storage, so that they are still there tomorrow. What you type at the checkout is kept until you
        order, log out or close the tab. A random number beside them lets your account recognise the browsers on which you have logged in;
        it is used for nothing else. We set no cookies and use no trackers.
      </p>
      <h2 id="others">Who else sees it</h2>
      <p>
        The payment provider (for card payments; from your second order on it gets your name, address and telephone, so that its page is
        filled in), the carrier (name, address, telephone) and the company that runs our servers, each only as much as it needs for its part
        of the work. We never sell your data.
      </p>
      <h2 id="long">How long</h2>
      <p>
        Accounts last until you ask us to delete them. Orders, and invoices with the name and address on them, are kept for six years after
        the end of the financial year, as tax law requires; we keep the invoices even if you ask us to erase everything else. Reset codes
        last 10 minutes, logins 30 days. A card payment that you do not finish is forgotten, with what you entered for it, after{' '}
        {unpaidDays} {unpaidDays === 1 ? 'day' : 'days'}; a browser that you logged in with, after 180 days in which you do not use it. If
        you ask to be told that a piece is back, we keep that for 180 days, or for 7 if you do not confirm it.
      </p>
      <h2 id="rights">Your rights</h2>
      <p>
        Under UK data protection law you may ask for a copy of everything we hold about you, have it corrected or erased, object to its use,
        and take it elsewhere. Write to us through the <Link to="/contact">contact page</Link>; we answer within a month. You may also
        complain to the Information Commissioner’s Office.
      </p>
    </PolicyFrame>
  );
}
