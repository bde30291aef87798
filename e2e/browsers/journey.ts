import { ADMIN } from '../shop.ts';
import type { Screen } from './screen.ts';

const BUYER = { name: 'Joni Journey', password: 'Correct-horse-1' };

async function chooseAndRegister(screen: Screen, email: string): Promise<void> {
  await screen.open('/');
  await screen.press('button', /^Search$/);
  await screen.fill([[/^Search the shop/, 'oslo sofa\n']]);
  await screen.see('Show Search Result: oslo sofa');
  await screen.press('link', /^Oslo Sofa/);
  await screen.press('choice', /^Three-seat/);
  await screen.press('button', /^Add To Cart/);
  await screen.press('link', /^Cart, 1 item$/);
  await screen.press('button', /^Checkout/);
  await screen.press('link', /^Create an account$/);
  await screen.fill([
    [/^Name/, BUYER.name],
    [/^Email Address/, email],
    [/^Password/, BUYER.password],
    [/^Confirm Password/, BUYER.password],
  ]);
  await screen.press('button', /^Register$/);
}

async function pay(screen: Screen): Promise<void> {
  await screen.press('button', /^Checkout/);
  await screen.see('Payment sandbox');
  await screen.fill([
    [/^Phone/, '07700 900123'],
    [/^Full name/, 'Pat Payer'],
    [/^Address line 1/, '2 Low Road'],
    [/^Town or city/, 'York'],
    [/^Postcode/, 'YO1 7HH'],
    [/^Card number/, '4242 4242 4242 4242'],
    [/^Expiry/, '12 / 40'],
    [/^Security code/, '123'],
  ]);
  await screen.press('button', /^Pay/);
  await screen.see('Thank You For Your Payment!', 'Order Placed, thanks!!');
}

async function seeOrder(screen: Screen): Promise<void> {
  await screen.press('button', /^Account/);
  await screen.press('link', /^Orders$/);
  await screen.press('link', /^Order Details/);
  await screen.see('On the Way', 'Credit Card', 'Paid at:');
  await screen.press('button', /^Account/);
  await screen.press('button', /^Logout$/);
}

async function deliver(screen: Screen): Promise<void> {
  await screen.open('/login');
  await screen.fill([
    [/^Email/, ADMIN.email],
    [/^Password/, ADMIN.password],
  ]);
  await screen.press('button', /^Log In$/);
  await screen.press('button', /^Account/);
  await screen.press('link', /^Orders$/);
  await screen.press('link', /^Details of the order of Joni Journey/);
  await screen.press('button', /^Mark as delivered$/);
  await screen.see('Update Succeed', 'Delivered at:');
}

/** A visitor finds a sofa, chooses, registers, pays by card and sees the order; an administrator delivers it. */
export async function journey(screen: Screen): Promise<void> {
  await chooseAndRegister(screen, `journey-${Date.now()}@example.com`);
  await pay(screen);
  await seeOrder(screen);
  await deliver(screen);
}
